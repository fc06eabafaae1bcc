"""Words of command lines that several programs take."""

from __future__ import annotations

import argparse
import contextlib


def share(word: str) -> float:
    """A number from 0 to below 1. Raises ArgumentTypeError."""
    with contextlib.suppress(ValueError):
        if 0 <= (number := float(word)) < 1:
            return number
    raise argparse.ArgumentTypeError(f"{word!r} is not from 0 to below 1")


def count(word: str) -> int:
    """A whole number above 0. Raises ArgumentTypeError."""
    if word.isdecimal() and (number := int(word)) > 0:
        return number
    raise argparse.ArgumentTypeError(f"{word!r} is not a whole number above 0")
