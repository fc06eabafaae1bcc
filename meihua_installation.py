"""Is ``xiangqi`` Meihua's package? PyPI has another one of that name.

This module is outside the package, which may be the other one, and imports neither.
"""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

__all__ = ["describe_foreign", "repair_steps", "require_own"]


def require_own(package: ModuleType) -> None:
    """Raise ImportError, with the steps that repair the installation, for another package."""
    if getattr(package, "__distribution__", None) != "meihua-xiangqi":
        raise ImportError(describe_foreign(), name="xiangqi")


def describe_foreign() -> str:
    """Describe where ``xiangqi`` is found, and the steps that repair the installation."""
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
