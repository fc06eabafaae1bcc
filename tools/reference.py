"""Extension of griffe, which reads the package for the API reference.

Compiled modules are inspected at run time, which also finds their imports and members added by
Cython; only members that their stubs declare are kept. Sphinx roles and examples in docstrings are
converted to Markdown.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import griffe

__all__ = ["AsWritten", "as_markdown"]

ROOT: Final = Path(__file__).parents[1]
_ROLE: Final = re.compile(r":(?:attr|class|data|func|meth|mod):`(~?)([\w.]+)`")
_NO_QUOTE: Final = re.compile(r"^>(?!>>)", re.MULTILINE)
_EXAMPLE: Final = re.compile(r"^>>> .*\n?(?:.+\n?)*", re.MULTILINE)


class AsWritten(griffe.Extension):
    """Keeps the members that stubs declare, and converts docstrings to Markdown."""

    def on_package(self, *, pkg: griffe.Module, **_: Any) -> None:
        """Convert the package once it is loaded."""
        pages = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
        shown = set(re.findall(r"- reference/(\S+)\.md", pages))
        for one in list(_parts_of(pkg)):
            if one.is_module and one.filepath.suffix in (".so", ".pyd"):
                _keep_declared(one, one.filepath.with_name(f"{one.name}.pyi"))
        for one in _parts_of(pkg):
            if one.docstring:
                one.docstring.value = as_markdown(one.docstring.value, one, shown)


def _parts_of(part: Any) -> Iterator[Any]:
    """A module or class, and all its members that are not imported, recursively."""
    yield part
    for member in list(part.members.values()):
        if not member.is_alias:
            yield from _parts_of(member)


def _keep_declared(module: Any, stub: Path) -> None:
    """Keep the members of a compiled module that its stub declares, in that order; none without a
    stub."""
    _keep(module, ast.parse(stub.read_text(encoding="utf-8") if stub.exists() else "").body)
    for member in module.members.values():
        if member.is_attribute:
            member.docstring = None  # inherited from its type


def _keep(part: Any, body: list[ast.stmt]) -> None:
    declared: dict[str, list[ast.stmt]] = {}
    for one in body:
        if isinstance(one, ast.ClassDef | ast.FunctionDef):
            declared[one.name] = one.body if isinstance(one, ast.ClassDef) else []
        elif isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name):
            declared[one.target.id] = []
    kept = {name: part.members[name] for name in declared if name in part.members}
    part.members.clear()
    part.members.update(kept)
    for name, inner in declared.items():
        if name in kept and kept[name].is_class:
            _keep(kept[name], inner)


def as_markdown(text: str, part: Any, shown: set[str]) -> str:
    """Convert a docstring: Sphinx roles to links if a page shows the object, examples to code."""

    def link(found: re.Match[str]) -> str:
        short, name = found.groups()
        word = name.rpartition(".")[2] if short else name
        try:
            path = part.resolve(name)
        except griffe.NameResolutionError:
            path = name
        return f"[`{word}`][{path}]" if _is_shown(path, part.package, shown) else f"`{word}`"

    text = _NO_QUOTE.sub(r"\\>", _ROLE.sub(link, text))
    return _EXAMPLE.sub(lambda found: f"```pycon\n{found[0].rstrip()}\n```\n", text)


def _is_shown(path: str, package: Any, shown: set[str]) -> bool:
    """Is the object at this path shown on one of the pages?"""
    if path in shown:
        return True
    module, _, name = path.rpartition(".")
    if not module or name.startswith("_"):
        return False
    try:
        one = package[path.partition(".")[2]]
    except KeyError:
        return False
    return not (one.is_alias or one.is_module) and _is_shown(module, package, shown)
