"""Reading TOML, by whichever module the Python version has for it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

__all__ = ["load_toml"]


def load_toml(path: Path) -> dict[str, Any]:
    """Parse a TOML file; raises OSError, or ValueError for a file that is not TOML in UTF-8."""
    # Imported where a file is read: the parser takes longer to load than the whole board.
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib

    return tomllib.loads(path.read_bytes().decode("utf-8-sig"))
