"""Commands that install what an optional part of the package needs."""

from __future__ import annotations

import re
import shlex
import sys
from importlib import metadata

__all__ = ["how_to_install"]


def how_to_install(extra: str) -> str:
    """Command that installs the requirements of one of the package's extras.

    It names them, not the package, which is on no registry. A bundle has no Python to extend and no
    metadata; there the command is one for a checkout.
    """
    packages = " ".join(map(shlex.quote, _requirements(extra)))
    if getattr(sys, "frozen", False) or not packages:
        return f"pip install '.[{extra}]' in a checkout of Meihua"
    return f"{shlex.quote(sys.executable)} -m pip install {packages}"


def _requirements(extra: str) -> list[str]:
    try:
        lines = metadata.requires("meihua-xiangqi") or []
    except metadata.PackageNotFoundError:
        return []
    marked = re.compile(rf"extra\s*==\s*['\"]{re.escape(extra)}['\"]")
    return [line.partition(";")[0].strip() for line in lines if marked.search(line)]
