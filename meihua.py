"""Unambiguous import name of the package ``xiangqi``, and entry points of its programs.

``import meihua`` offers the names of ``import xiangqi``. PyPI has another package named
``xiangqi``; if that one is imported instead of Meihua's, this module raises ImportError with the
steps that repair the installation. The entry points are outside the package for the same reason.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

from meihua_installation import describe_foreign, require_own

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
        raise ImportError(describe_foreign(), name="xiangqi") from error
    require_own(xiangqi)
    return xiangqi


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
