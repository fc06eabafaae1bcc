"""What is not installed with the package, and how to get it."""

from __future__ import annotations

import shlex
import sys

__all__ = ["how_to_install"]


def how_to_install(extra: str) -> str:
    """The command that adds one of the package's extras to the environment that runs now; where
    that is a folder without Python, to which nothing can be added, to one with Python."""
    package = f"pip install 'meihua-xiangqi[{extra}]'"
    if getattr(sys, "frozen", False):
        return f"{package} in a Python, as this folder has none"
    return f"{shlex.quote(sys.executable)} -m {package}"
