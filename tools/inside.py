"""Runs in Pyodide, for ``packs.mjs``: compiles modules, and lists those of the standard library."""

from __future__ import annotations

import ast
import gc
import importlib
import json
import marshal
import sys
from collections.abc import Iterable
from importlib.machinery import ExtensionFileLoader, ModuleSpec
from importlib.util import MAGIC_NUMBER, spec_from_file_location
from pathlib import Path
from types import CodeType
from typing import Final
from zipfile import ZipFile

ARCHIVE: Final = "/lib/python312.zip"
"""Pyodide's standard library."""
PACKAGES: Final = Path("/lib/python3.12/site-packages")
_HEAD: Final = MAGIC_NUMBER + (1).to_bytes(4, "little") + bytes(8)
"""Beginning of a compiled file that is never compared with its source."""
CODECS: Final = """
    ascii latin_1 utf_8 utf_8_sig utf_16 utf_16_le utf_16_be gb18030 gbk big5 cp950 unicode_escape
"""
UNNAMED: Final = (
    *(f"encodings.{codec}" for codec in CODECS.split()),
    "importlib.readers",
    "linecache",
    "traceback",
)
"""Modules that are loaded though no import statement of the packages names them."""


def _imported(source: str) -> Iterable[str]:
    """Yield the names of all modules that a source imports anywhere."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def read_library(files: Iterable[str]) -> str:
    """Import all modules of the standard library that these files of the packages import anywhere.

    Return the paths and sources of all its modules loaded so far, as JSON.
    """
    names = set(UNNAMED)
    for file in files:
        if file.endswith(".py"):
            names.update(_imported((PACKAGES / file).read_text(encoding="utf-8")))
    for name in sorted(names):
        if name.partition(".")[0] in sys.stdlib_module_names:
            try:
                importlib.import_module(name)
            except ImportError:
                continue  # of another system, or the name of an object in a module
    paths = (getattr(module, "__file__", None) or "" for module in list(sys.modules.values()))
    prefix = f"{ARCHIVE}/"
    found = {path.removeprefix(prefix) for path in paths if path.startswith(prefix)}
    with ZipFile(ARCHIVE) as archive:
        return json.dumps([(name, archive.read(name).decode()) for name in sorted(found)])


def compile_module(source: bytes, name: str) -> bytes:
    """Compile a module, without docstrings; those of Pyodide are needed.

    Modules of other packages have no line numbers in tracebacks: that saves a tenth of a snapshot.
    """
    optimize = 0 if name.startswith(("_pyodide", "pyodide")) else 2
    code = compile(bytes(source), name, "exec", dont_inherit=True, optimize=optimize)
    return _HEAD + marshal.dumps(code if name.startswith("xiangqi") else _without_lines(code))


def _without_lines(code: CodeType) -> CodeType:
    """Give all instructions no location: by Python's ``locations.md``, eight to a byte."""
    eights, rest = divmod(len(code.co_code) // 2, 8)
    table = b"\xff" * eights + (bytes([0xF8 | (rest - 1)]) if rest else b"")
    constants = code.co_consts
    inner = (_without_lines(one) if isinstance(one, CodeType) else one for one in constants)
    return code.replace(co_linetable=table, co_consts=tuple(inner))


class MergedModules:
    """Finds compiled modules that are linked into one library."""

    def __init__(self, path: str, names: Iterable[str]) -> None:
        self.path, self.names = path, frozenset(names)

    def find_spec(self, name: str, *_: object) -> ModuleSpec | None:
        """Return the specification of a module of the library."""
        if name not in self.names:
            return None
        loader = ExtensionFileLoader(name, self.path)
        return spec_from_file_location(name, self.path, loader=loader)


def load_modules(
    roots: Iterable[str], libraries: dict[str, Iterable[str]], first: str, program: str
) -> str:
    """Import modules and the whole first library, and run a program; return the names of all
    loaded modules as JSON."""
    for path, names in libraries.items():
        sys.meta_path.insert(0, MergedModules(path, names))
    for name in (*roots, *libraries[first]):
        importlib.import_module(name)
    exec(program, {})
    importlib.invalidate_caches()
    gc.collect()
    return json.dumps(sorted(sys.modules))
