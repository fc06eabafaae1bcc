"""Builds the npm packages ``meihua`` and ``meihua-engine`` from ``packages`` and the core for
WebAssembly.

    python dev.py npm                                 # build/packages, and dist/meihua-*.tgz
    python dev.py npm FOLDER                          # the packages' folders, elsewhere

The referee's package has Pyodide and the pack of the modules that rule on games; the engine's has
the pack of the additional ones, and depends on the same version of the referee's.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Sequence
from pathlib import Path
from subprocess import CalledProcessError
from typing import Final

from tools.packs import SCRIPTS, Plan, make_packs
from tools.wasm import SiteError, build_core, find_missing
from tools.wheels import WheelError
from xiangqi.ground.installed import __version__

__all__ = ["ENGINE", "REFEREE", "build_packages", "pack", "plan_packs", "write_manifest"]

ROOT: Final = Path(__file__).parents[1]
SOURCE: Final = ROOT / "packages"
FOLDER: Final = ROOT / "build/packages"
PACKS: Final = ROOT / "build/packs/npm"
_BASE: Final = (
    *"__init__ public svg".split(),
    *"ground/__init__ ground/files ground/installed ground/lines".split(),
    *"board/__init__ board/board board/placing".split(),
)
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
            *"contract drawing games ground/errors ground/texts".split(),
            *"notation pieces referee words".split(),
        )
    ),
    "xiangqi/web/__init__.py",
    "xiangqi/web/calls.py",
)
"""Prefixes of the paths of the referee's files."""
ENGINE: Final = (
    "xiangqi/ground/chances.py",
    "xiangqi/board/scores.py",
    "xiangqi/core/",
    "xiangqi/books/",
    "xiangqi/tables/",
    "xiangqi/engine/",
)
"""Prefixes of the paths of the files that only the engine needs."""
FIRST_CALLS: Final = """
import json
from xiangqi.web.calls import answer
def call(name, **data):
    if "error" in json.loads(answer(name, json.dumps(data))):
        raise ValueError(name)
cycle = {"fen": "9/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w", "moves": "f0e0 e8f8 e0f0 f8e8".split() * 2}
for rules in ("wxf", "cxa2020"):
    for language in ("en", "zh"):
        for name in ("judge", "explain", "outcome", "barredMoves"):
            call(name, **cycle, rules=rules, language=language)
for name in ("legalMoves", "fenAfter", "formatMoves", "draw"):
    call(name, **cycle)
for text in ("1. C2.5 H8+7", "1. 炮二平五 马8进7", '[Event "A"]\\n\\n1. C2.5 *'):
    call("parseMoves", text=text)
    call("outcome", moves=text)
"""
"""Program whose work the snapshot saves."""
_LICENSES: Final = ("LICENSE", "LICENSE.OFL")
"""The second is that of drawn pieces."""
_LEFT_OUT: Final = (
    "xiangqi/games/archive.py",
    "xiangqi/core/samples.",
    "xiangqi/books/obk_keys.txt",
)


def build_packages(wheel: Path, folder: Path = FOLDER) -> tuple[Path, Path]:
    """Write the packages into folders of their names, which are emptied first; return these."""
    plan = plan_packs(wheel)
    make_packs(plan, wheel, PACKS)
    python, referee, engine = plan.packs
    return (
        _build_package(folder / "meihua", (python, referee), (*SCRIPTS, *_LICENSES)),
        _build_package(folder / "meihua-engine", (engine,), _LICENSES[:1]),
    )


def _build_package(folder: Path, packs: Sequence[str], others: Sequence[str]) -> Path:
    """Write a package: its source, its packs, and other files, from the packs' folder or the root.

    ``build.js`` of it has its version, and the number of bytes of its packs.
    """
    source = SOURCE / folder.name
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(source / "src", folder)
    if (source / "examples").exists():
        shutil.copytree(source / "examples", folder / "examples")
    shutil.copyfile(source / "README.md", folder / "README.md")
    for name in (*packs, *others):
        shutil.copyfile((ROOT if name in _LICENSES else PACKS) / name, folder / name)
    size = sum((folder / name).stat().st_size for name in packs)
    text = f'export const VERSION = "{__version__}";\nexport const BYTES = {size};\n'
    (folder / "build.js").write_text(text, encoding="utf-8")
    write_manifest(folder)
    return folder


def plan_packs(wheel: Path) -> Plan:
    """Divide the files of the wheel between the packs; the engine's pack also has its version."""
    with zipfile.ZipFile(wheel) as core:
        names = [name for name in core.namelist() if not name.startswith(_LEFT_OUT)]
    referee = tuple(name for name in names if name.startswith(REFEREE))
    engine = tuple(name for name in names if name.startswith(ENGINE) and name not in referee)
    version = {f"{ENGINE[-1]}packed.py": f'VERSION = "{__version__}"\n'.encode()}
    return Plan("referee", "engine", ("xiangqi.web.calls",), FIRST_CALLS, referee, engine, version)


def write_manifest(folder: Path) -> None:
    """Write package.json, with the version of the Python package for itself and its dependencies.

    In a workflow it names the repository, which npm requires for a package with provenance.
    """
    manifest = json.loads((SOURCE / folder.name / "package.json").read_text(encoding="utf-8"))
    manifest["version"] = __version__
    if "dependencies" in manifest:
        manifest["dependencies"] = dict.fromkeys(manifest["dependencies"], __version__)
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
    """Build and pack the packages and print their sizes; or end with the reason of a failure."""
    missing = find_missing()
    if missing:
        sys.exit("\n  - ".join(["npm: the packages need:", *missing]))
    try:
        packed = [pack(one, ROOT / "dist") for one in build_packages(build_core(), folder)]
    except (SiteError, WheelError, CalledProcessError) as error:
        sys.exit(f"npm: {error}")
    for file in packed:
        print(f"{file}: {file.stat().st_size / 1e6:.2f} MB")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
