"""Builds the npm package ``meihua`` from ``packages/npm`` and the core for WebAssembly.

    python dev.py npm                                 # build/meihua, and dist/meihua-VERSION.tgz
    python dev.py npm FOLDER                          # the package's folder, elsewhere

The package has two archives: the modules that rule on games, and the additional ones of the engine.
It depends on Pyodide.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterable
from pathlib import Path
from subprocess import CalledProcessError
from typing import Final

import dev
from tools.site import RUNTIME, SiteError, build_core, find_missing
from tools.wheels import WheelError
from xiangqi.installed import __version__

__all__ = ["ENGINE", "REFEREE", "build_package", "pack", "write_manifest"]

ROOT: Final = Path(__file__).parents[1]
_OLDEST: Final = (1980, 1, 1, 0, 0, 0)
"""Time of all files in an archive, for reproducible archives."""
SOURCE: Final = ROOT / "packages/npm"
FOLDER: Final = ROOT / "build/meihua"
_BASE: Final = "__init__ files installed lines public svg".split()
REFEREE: Final = (
    *(f"xiangqi/{name}.py" for name in _BASE),
    *(
        f"xiangqi/core/{name}."
        for name in ("__init__", "board", "move", "position_board", "solver")
    ),
    *(f"xiangqi/core/{name}/" for name in ("forcing", "moves", "repetition", "system")),
    *(
        f"xiangqi/{name}/"
        for name in (
            *"board contract drawing errors games".split(),
            *"notation pieces referee texts words".split(),
        )
    ),
    "xiangqi/web/__init__.py",
    "xiangqi/web/calls.py",
)
"""Prefixes of the paths of the referee's files."""
ENGINE: Final = (
    "xiangqi/chances.py",
    "xiangqi/scores.py",
    "xiangqi/core/",
    "xiangqi/books/",
    "xiangqi/tables/",
    "xiangqi/engine/",
)
"""Prefixes of the paths of the files that only the engine needs."""
_LEFT_OUT: Final = (
    "xiangqi/games/archive.py",
    "xiangqi/core/samples.",
    "xiangqi/books/obk_keys.txt",
)
_FETCHED: Final = ("pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
"""Files of Pyodide that a browser fetches; the others are imported as scripts."""


def build_package(wheel: Path, folder: Path = FOLDER) -> Path:
    """Write the package into a folder, which is emptied first; return the folder."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(SOURCE / "src", folder)
    for name in ("README.md", "examples"):
        source = SOURCE / name
        (shutil.copytree if source.is_dir() else shutil.copyfile)(source, folder / name)
    for name in ("LICENSE", "LICENSE.OFL"):
        shutil.copyfile(ROOT / name, folder / name)
    with zipfile.ZipFile(wheel) as core:
        names = [name for name in core.namelist() if not name.startswith(_LEFT_OUT)]
        referee = {name for name in names if name.startswith(REFEREE)}
        engine = {name for name in names if name.startswith(ENGINE)} - referee
        _write_archive(core, referee, folder / "referee.zip")
        _write_archive(core, engine, folder / "engine.zip")
    _write_sizes(folder)
    write_manifest(folder)
    return folder


def _write_archive(core: zipfile.ZipFile, names: Iterable[str], path: Path) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        for name in sorted(names):
            info = zipfile.ZipInfo(name, _OLDEST)
            archive.writestr(info, core.read(name), zipfile.ZIP_DEFLATED)


def _write_sizes(folder: Path) -> None:
    """Write sizes.js for the worker: number of bytes that a browser fetches for each part."""
    size = sum((RUNTIME / name).stat().st_size for name in _FETCHED)
    sizes = {}
    for part in ("referee", "engine"):
        size += (folder / f"{part}.zip").stat().st_size
        sizes[part] = size
    text = f"export const SIZES = {json.dumps(sizes)};\n"
    (folder / "sizes.js").write_text(text, encoding="utf-8")


def write_manifest(folder: Path) -> None:
    """Write package.json, with the versions of the Python package and of Pyodide.

    In a workflow it names the repository, which npm requires for a package with provenance.
    """
    manifest = json.loads((SOURCE / "package.json").read_text(encoding="utf-8"))
    name, _, version = dev.PYODIDE.partition("@")
    manifest |= {"version": __version__, "dependencies": {name: version}}
    if repository := os.environ.get("GITHUB_REPOSITORY"):
        url = f"git+{os.environ['GITHUB_SERVER_URL']}/{repository}.git"
        manifest["repository"] = {"type": "git", "url": url}
    text = json.dumps(manifest, ensure_ascii=False, indent=2)
    (folder / "package.json").write_text(f"{text}\n", encoding="utf-8")


def pack(folder: Path, output: Path) -> Path:
    """Pack the folder with ``npm pack``; raises CalledProcessError if that fails."""
    output.mkdir(parents=True, exist_ok=True)
    npm = shutil.which("npm") or "npm"
    command = [npm, "pack", "--json", "--pack-destination", str(output.resolve())]
    done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, check=True)
    return output / str(json.loads(done.stdout)[0]["filename"])


def main(folder: Path) -> None:
    """Build and pack the package and print its size; or end with the reason of a failure."""
    missing = find_missing()
    if missing:
        sys.exit("\n  - ".join(["npm: the package needs:", *missing]))
    try:
        packed = pack(build_package(build_core(), folder), ROOT / "dist")
    except (SiteError, WheelError, CalledProcessError) as error:
        sys.exit(f"npm: {error}")
    print(f"{packed}: {packed.stat().st_size / 1e6:.2f} MB")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
