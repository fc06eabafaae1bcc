"""Faults of the installation: a foreign package ``xiangqi``, as PyPI has one, or lack of memory.

This module is outside the package, which may be the foreign one, and imports neither.
"""

from __future__ import annotations

import sys
from types import ModuleType

__all__ = [
    "NotBuiltError",
    "describe_foreign",
    "describe_lack_of_memory",
    "repair_steps",
    "require_own",
]


class NotBuiltError(ImportError):
    """The package is imported from a checkout that is not built for this Python."""

    def __init__(self, folder: str) -> None:
        version = "{}.{}".format(*sys.version_info)
        super().__init__(
            f"this checkout is not built: make verify ({folder!r} has no core for Python {version};"
            " use .venv/bin/python afterwards, or another folder if Meihua is installed)",
            name="xiangqi",
        )


def require_own(package: ModuleType) -> None:
    """Raise ImportError, with the steps that repair the installation, for another package."""
    if getattr(package, "__distribution__", None) != "meihua-xiangqi":
        raise ImportError(describe_foreign(), name="xiangqi")


def describe_foreign() -> str:
    """Describe where ``xiangqi`` is found, and the steps that repair the installation."""
    from importlib.util import find_spec
    from pathlib import Path

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


_SIGNS_OF_NO_MEMORY = (
    "failed to map segment",
    "annot allocate memory",
    "can't start new thread",
    "unknown encoding: ",  # of those that Python has; others are refused as options
    "error return without exception set",  # faults of Python without memory
    "returned NULL without setting an exception",
)


def describe_lack_of_memory(error: BaseException) -> str:
    """Describe an error caused by lack of memory, as under ``ulimit -v``; empty for another error.

    The loaders of extension modules and of codecs and the start of threads have their own errors.

    >>> describe_lack_of_memory(MemoryError("no memory for a hash table of 16 MB"))
    'not enough memory: no memory for a hash table of 16 MB'
    >>> describe_lack_of_memory(SystemError("f returned NULL without setting an exception"))
    'not enough memory: f returned NULL without setting an exception'
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
