"""Unambiguous import name of the package ``xiangqi``, and entry points of its programs.

``import meihua`` offers the names of ``import xiangqi``. PyPI has another package named
``xiangqi``; if that one is imported instead of Meihua's, this module raises ImportError with the
steps that repair the installation. The entry points are outside the package for the same reason.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import TYPE_CHECKING, Any

from meihua_installation import (
    NotBuiltError,
    describe_foreign,
    describe_lack_of_memory,
    require_own,
)

if TYPE_CHECKING:
    from xiangqi import *  # noqa: F403
    from xiangqi import __all__ as __all__
else:

    def __getattr__(name: str) -> Any:
        return getattr(find_package(), name)

    def __dir__() -> list[str]:
        return dir(find_package())


def find_package() -> ModuleType:
    """Return Meihua's package ``xiangqi``; raise ImportError if that name is another package."""
    try:
        import xiangqi
    except Exception as error:  # a foreign package may fail in any way
        if isinstance(error, NotBuiltError) or describe_lack_of_memory(error):
            raise
        raise ImportError(describe_foreign(), name="xiangqi") from error
    require_own(xiangqi)
    return xiangqi


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
    except Exception as error:  # without memory, an import may fail in any way
        message = describe_lack_of_memory(error)
        if not message and not isinstance(error, ImportError):
            raise
        sys.exit(f"{program}: {message or error}")
