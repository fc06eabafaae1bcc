"""Public names of a package, imported from their modules on first use."""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

__all__ = ["lazy_names"]


def lazy_names(
    package: str, modules: Mapping[str, str], hints: Mapping[str, str] | None = None
) -> Callable[[str], Any]:
    """Make the ``__getattr__`` of a package.

    ``modules`` has the names of each module, separated by blanks; a module is relative to the
    package. ``hints`` says what to use instead of a missing name; it becomes part of the
    AttributeError.
    """
    homes = {name: module for module, names in modules.items() for name in names.split()}

    def find(name: str) -> Any:
        if name not in homes:
            hint = f": {hints[name]}" if hints and name in hints else ""
            message = f"module {package!r} has no attribute {name!r}{hint}"
            raise AttributeError(message, name=name)
        return getattr(import_module(f"{package}.{homes[name]}"), name)

    return find
