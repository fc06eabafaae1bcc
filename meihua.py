"""Unambiguous import name of the package ``xiangqi``, and entry points of its programs.

``import meihua`` offers the names of ``import xiangqi``. PyPI has another package named
``xiangqi``; if that one is imported instead of Meihua's, this module raises ImportError with the
steps that repair the installation. The entry points are outside the package for the same reason.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from xiangqi import *  # noqa: F403
    from xiangqi import __all__ as __all__
else:

    def __getattr__(name: str) -> Any:
        if name == "__path__":  # forwarding it would import submodules twice
            raise AttributeError(name)
        return getattr(find_package(), name)

    def __dir__() -> list[str]:
        return dir(find_package())


def find_package() -> ModuleType:
    """Return Meihua's package ``xiangqi``; raise ImportError if that name is another package."""
    try:
        import xiangqi
    except Exception as error:  # a foreign package may fail in any way
        if describe_lack_of_memory(error):
            raise
        raise ImportError(_describe_foreign(), name="xiangqi") from error
    if getattr(xiangqi, "__distribution__", None) != "meihua-xiangqi":
        raise ImportError(_describe_foreign(), name="xiangqi")
    return xiangqi


def _describe_foreign() -> str:
    spec = find_spec("xiangqi")
    places = [] if spec is None else [spec.origin, *(spec.submodule_search_locations or [])]
    place = next((Path(each) for each in places if each is not None), Path("xiangqi"))
    folder = place.parent if place.name == "__init__.py" else place
    is_mixed = folder.parent == Path(__file__).parent
    return (
        f"{str(place)!r} is not Meihua's package 'xiangqi'. If pip installed another one of that"
        f" name (PyPI's 'xiangqi'), {repair_steps(is_mixed)}. If the file is your own, rename it."
    )


def repair_steps(is_mixed: bool) -> str:
    """Commands that leave only Meihua's ``xiangqi`` installed.

    ``is_mixed``: both packages share a folder, so that some of Meihua's files were overwritten.
    """
    pip = f"{sys.executable} -m pip"
    if not is_mixed:
        return f"run: {pip} uninstall xiangqi"
    return (
        f"run: {pip} uninstall xiangqi meihua-xiangqi; then install Meihua again, and the other"
        " package in an environment of its own"
    )


def start_engine() -> None:
    """Run the program ``meihua``."""
    with _importing("meihua"):
        find_package()
        from xiangqi.engine.meihua import command
    command()


def start_commands() -> None:
    """Run the program ``xiangqi``."""
    with _importing("xiangqi"):
        find_package()
        from xiangqi.__main__ import main
    main()


@contextmanager
def _importing(program: str) -> Iterator[None]:
    """Report a failed import in one line, and exit."""
    try:
        yield
    except (ImportError, MemoryError) as error:
        sys.exit(f"{program}: {describe_lack_of_memory(error) or error}")


_SIGNS_OF_NO_MEMORY = (
    "failed to map segment",
    "annot allocate memory",
    "can't start new thread",
    "unknown encoding: ",  # of those that Python has; others are refused as options
    "error return without exception set",  # fault of Python without memory
)


def describe_lack_of_memory(error: BaseException) -> str:
    """Describe an error caused by lack of memory, as under ``ulimit -v``; empty for another error.

    The loaders of extension modules and of codecs and the start of threads have their own errors.

    >>> describe_lack_of_memory(MemoryError("no memory for a hash table of 16 MB"))
    'not enough memory: no memory for a hash table of 16 MB'
    >>> describe_lack_of_memory(ImportError("No module named 'x'"))
    ''
    """
    cause: BaseException | None = error
    while cause is not None:
        words = str(cause)
        if isinstance(cause, MemoryError) or any(sign in words for sign in _SIGNS_OF_NO_MEMORY):
            return f"not enough memory: {words or 'an allocation failed'}"
        cause = cause.__cause__
    return ""
