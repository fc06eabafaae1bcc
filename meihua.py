"""Unambiguous import name of the package ``xiangqi``, and entry points of its programs.

``import meihua`` offers the names of ``import xiangqi``. PyPI has another package named
``xiangqi``; if that one is imported instead of Meihua's, this module raises ImportError with the
steps that repair the installation. The entry points are outside the package for the same reason.
"""

from __future__ import annotations

import sys
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
    _require_package("meihua")
    from xiangqi.engine.meihua import command

    command()


def start_commands() -> None:
    """Run the program ``xiangqi``."""
    _require_package("xiangqi")
    from xiangqi.__main__ import main

    main()


def _require_package(program: str) -> None:
    try:
        find_package()
    except ImportError as error:
        sys.exit(f"{program}: {error}")
