"""Makes packs for JavaScript: Pyodide, the package, and a memory snapshot of a loaded Python.

A product has two packs of its own. The first has what is needed at once: the snapshot, and the
compiled modules in one library; the second has the rest, with one more library. Pyodide's
WebAssembly is a third. ``xiangqi/web/site/static/python.js`` loads them.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import shutil
import subprocess
import tarfile
import zipfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from tools.targets import link_command
from tools.wasm import CORE_OBJECTS, ROOT, RUNTIME, RUNTIME_FILES, SiteError

__all__ = ["LOADER", "SCRIPTS", "Plan", "make_packs"]

LOADER: Final = ROOT / "xiangqi/web/site/static/python.js"
SCRIPTS: Final = ("python.js", "pyodide.js")
"""Scripts of all products."""
_MODULE: Final = ".abi3.so"
_SOURCES: Final = ("packs.py", "packs.mjs", "inside.py", "targets.py")
"""Programs on which the contents of packs depend."""
_SECONDS: Final = 600


@dataclass(frozen=True)
class Plan:
    """The two packs of a product: their names, and the paths of their files in the wheel."""

    base: str
    more: str
    roots: tuple[str, ...]
    """Modules that the snapshot has loaded."""
    first: str
    """Python program that the snapshot has run: the first calls, which fill caches."""
    base_files: tuple[str, ...]
    more_files: tuple[str, ...]
    required: Mapping[str, bytes] = field(default_factory=dict)
    """Further files of the second pack: those that the wheel has not, by path."""

    @property
    def packs(self) -> tuple[str, str, str]:
        """Names of all packs, in the order of loading."""
        return "python.pack", f"{self.base}.pack", f"{self.more}.pack"


def make_packs(plan: Plan, wheel: Path, folder: Path) -> None:
    """Write the packs and scripts into a folder, unless it has those of the same inputs; raises
    SiteError.

    Other files of the folder are removed. Making packs takes 20 s, most of it in Node.js.
    """
    stamp, made_from = folder / "made-from", _fingerprint(plan, wheel)
    is_whole = all((folder / name).exists() for name in plan.packs)
    if is_whole and stamp.exists() and stamp.read_text(encoding="utf-8") == made_from:
        return
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    libraries = {}
    with zipfile.ZipFile(wheel) as core:
        for part, name, files in (
            ("base", plan.base, plan.base_files),
            ("more", plan.more, plan.more_files),
        ):
            _write_files(folder / part, {path: core.read(path) for path in files})
            modules = [path.removesuffix(_MODULE) for path in files if path.endswith(_MODULE)]
            _link(modules, folder / part / f"{name}.so")
            libraries[f"{name}.so"] = [module.replace("/", ".") for module in modules]
    _write_files(folder / "more", plan.required)
    (folder / "package.json").write_text('{"type": "module"}\n', encoding="utf-8")
    shutil.copyfile(LOADER, folder / LOADER.name)
    details = {
        "runtime": str(RUNTIME),
        "inside": str(Path(__file__).with_name("inside.py")),
        "names": {"base": plan.base, "more": plan.more},
        "first": f"{plan.base}.so",
        "libraries": libraries,
        "roots": plan.roots,
        "program": plan.first,
    }
    (folder / "plan.json").write_text(json.dumps(details), encoding="utf-8")
    _run_node(folder)
    for part, name in (("base", plan.base), ("more", plan.more)):
        _compress(_archive(folder / "packed" / part), folder / f"{name}.pack")
    _compress((RUNTIME / "pyodide.asm.wasm").read_bytes(), folder / "python.pack")
    stamp.write_text(made_from, encoding="utf-8")


def _fingerprint(plan: Plan, wheel: Path) -> str:
    """Hash of all that packs depend on: plan, modules, Pyodide, Node.js, and these programs."""
    found = hashlib.sha256(repr(plan).encode())
    with zipfile.ZipFile(wheel) as core:
        for name in sorted(core.namelist()):
            found.update(name.encode() + b"\0" + core.read(name))
    tools = Path(__file__).parent
    sources = (*(tools / name for name in _SOURCES), LOADER)
    for path in (*(RUNTIME / name for name in RUNTIME_FILES), *sources):
        found.update(path.name.encode() + b"\0" + path.read_bytes())
    found.update(subprocess.run(["node", "--version"], capture_output=True, check=True).stdout)
    return found.hexdigest()


def _archive(folder: Path) -> bytes:
    """Archive the files of a folder, without times, so that builds are reproducible."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            info = tarfile.TarInfo(path.relative_to(folder).as_posix())
            info.size = path.stat().st_size
            with path.open("rb") as file:
                archive.addfile(info, file)
    return packed.getvalue()


def _compress(content: bytes, pack: Path) -> None:
    pack.write_bytes(gzip.compress(content, mtime=0))


def _write_files(folder: Path, files: Mapping[str, bytes]) -> None:
    for name, content in files.items():
        if not name.endswith(_MODULE):
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)


def _link(modules: Iterable[str], library: Path) -> None:
    """Link compiled modules, given as paths without a suffix, into one library."""
    objects = [str(CORE_OBJECTS / f"{module}.o") for module in modules]
    done = subprocess.run(
        link_command(objects, str(library)), capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise SiteError(f"the core cannot be linked:\n{done.stderr}")


def _run_node(folder: Path) -> None:
    command = ["node", str(Path(__file__).with_suffix(".mjs")), str(folder.absolute())]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=_SECONDS, check=False
        )
    except subprocess.TimeoutExpired as error:
        raise SiteError(f"the packs were not made within {_SECONDS} s") from error
    if done.returncode:
        raise SiteError(f"the packs cannot be made:\n{(done.stderr or done.stdout).strip()}")
