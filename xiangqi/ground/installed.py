"""Installation: version, extras, lazy imports, and conflicts with other packages ``xiangqi``."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from importlib.metadata import Distribution
    from pathlib import Path

__all__ = ["__version__", "find_conflicts", "how_to_install", "lazy_names", "warn_about_conflict"]

__version__ = "0.1.0"
"""Version of the package; its metadata is read from here."""

_DISTRIBUTION = "meihua-xiangqi"


def warn_about_conflict(folder: str = "") -> None:
    """Warn if the distribution ``xiangqi`` is installed in the same folder as this package.

    Runs at the first use of the package, so it only lists the folder (0.1 ms with 200 packages);
    ``find_conflicts`` reads the metadata of all distributions.
    """
    folder = folder or os.path.abspath(os.path.join(__file__, "../../.."))
    try:
        names = os.listdir(folder)
    except OSError:  # the package is in a zip archive
        return
    found = [name for name in names if name.startswith("xiangqi-") and name.endswith("-info")]
    if found:
        from meihua_installation import repair_steps

        warnings.warn(
            f"{found[0]!r} in {folder!r}: another package 'xiangqi' was installed into the"
            f" same folder as Meihua's, and they overwrite each other's files;"
            f" {repair_steps(is_mixed=True)}",
            RuntimeWarning,
            stacklevel=2,
        )


def find_conflicts() -> list[tuple[str, Path]]:
    """Find other distributions that install ``xiangqi``: name with version, and folder."""
    from importlib.metadata import distributions
    from pathlib import Path

    return [
        (f"{found.metadata['Name']} {found.version}", Path(str(found.locate_file(""))))
        for found in distributions()
        if found.metadata["Name"] != _DISTRIBUTION and _has_package(found)
    ]


def _has_package(found: Distribution) -> bool:
    """Does a distribution install a module named ``xiangqi``?"""
    if "xiangqi" in (found.read_text("top_level.txt") or "").split():
        return True
    return any(path.parts[0] in ("xiangqi", "xiangqi.py") for path in found.files or ())


def how_to_install(extra: str) -> str:
    """Command that installs the requirements of an extra.

    It lists the requirements, since the package itself is on no registry. A frozen program, or a
    package without metadata, gets the command for a checkout.
    """
    import shlex

    packages = " ".join(map(shlex.quote, _requirements(extra)))
    if getattr(sys, "frozen", False) or not packages:
        return f"pip install '.[{extra}]' in a checkout of Meihua"
    return f"{shlex.quote(sys.executable)} -m pip install {packages}"


def _requirements(extra: str) -> list[str]:
    import re
    from importlib import metadata

    try:
        lines = metadata.requires(_DISTRIBUTION) or []
    except metadata.PackageNotFoundError:
        return []
    marked = re.compile(rf"extra\s*==\s*['\"]{re.escape(extra)}['\"]")
    return [line.partition(";")[0].strip() for line in lines if marked.search(line)]


def lazy_names(
    package: str,
    modules: Mapping[str, str],
    missing: Callable[[str, str], AttributeError] | None = None,
) -> Callable[[str], Any]:
    """Make a ``__getattr__`` that imports a package's names at first use.

    ``modules`` maps modules, relative to the package, to their names, separated by blanks.
    ``missing`` makes the error for another name, from the package's description and that name.
    """
    homes = {name: module for module, names in modules.items() for name in names.split()}

    def find(name: str) -> Any:
        if name not in homes:
            if missing is not None:
                raise missing(f"module {package!r}", name)
            raise AttributeError(f"module {package!r} has no attribute {name!r}", name=name)
        return getattr(import_module(f"{package}.{homes[name]}"), name)

    return find
