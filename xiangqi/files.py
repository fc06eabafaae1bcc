"""What files that are written over a long time need."""

from __future__ import annotations

from pathlib import Path
from typing import IO

__all__ = ["lock_file", "remove_empty"]


def lock_file(file: IO[bytes]) -> bool:
    """Keep other processes away until the file is closed or this one ends, however it ends.

    False if another one has it. Where files cannot be locked so there is no such protection.
    """
    try:
        import fcntl
    except ImportError:
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def remove_empty(path: Path) -> None:
    """Take a file away into which nothing was written, if it is there."""
    if path.is_file() and not path.stat().st_size:
        path.unlink()
