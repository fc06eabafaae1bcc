"""Types of command-line options shared by several programs."""

from __future__ import annotations

import argparse
import contextlib


def share(word: str) -> float:
    """Parse a number in [0, 1). Raises ArgumentTypeError."""
    with contextlib.suppress(ValueError):
        if 0 <= (number := float(word)) < 1:
            return number
    raise argparse.ArgumentTypeError(f"{word!r} is not a number from 0 to below 1")


def natural(word: str) -> int:
    """Parse an integer from 0 on. Raises ArgumentTypeError."""
    if word.isdecimal():
        return int(word)
    raise argparse.ArgumentTypeError(f"{word!r} is not an integer from 0 on")


def count(word: str) -> int:
    """Parse a positive integer. Raises ArgumentTypeError."""
    if word.isdecimal() and (number := int(word)) > 0:
        return number
    raise argparse.ArgumentTypeError(f"{word!r} is not a positive integer")
