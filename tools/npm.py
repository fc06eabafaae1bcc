"""Builds the npm package ``meihua`` from ``packages/npm`` and the core for WebAssembly.

    python dev.py npm                                 # build/meihua, and dist/meihua-VERSION.tgz
    python dev.py npm FOLDER                          # the package's folder, elsewhere

The package has two packs of its own: the modules that rule on games, and the additional ones of the
engine. It has Pyodide, too, and depends on no other package.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from subprocess import CalledProcessError
from typing import Final

from tools.packs import SCRIPTS, Plan, make_packs
from tools.wasm import SiteError, build_core, find_missing
from tools.wheels import WheelError
from xiangqi.ground.installed import __version__

__all__ = ["ENGINE", "REFEREE", "build_package", "pack", "plan_packs", "write_manifest"]

ROOT: Final = Path(__file__).parents[1]
SOURCE: Final = ROOT / "packages/npm"
FOLDER: Final = ROOT / "build/meihua"
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
_LEFT_OUT: Final = (
    "xiangqi/games/archive.py",
    "xiangqi/core/samples.",
    "xiangqi/books/obk_keys.txt",
)


def build_package(wheel: Path, folder: Path = FOLDER) -> Path:
    """Write the package into a folder, which is emptied first; return the folder."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(SOURCE / "src", folder)
    for name in ("README.md", "examples"):
        source = SOURCE / name
        (shutil.copytree if source.is_dir() else shutil.copyfile)(source, folder / name)
    for name in ("LICENSE", "LICENSE.OFL"):
        shutil.copyfile(ROOT / name, folder / name)
    plan = plan_packs(wheel)
    make_packs(plan, wheel, PACKS)
    for name in (*plan.packs, *SCRIPTS):
        shutil.copyfile(PACKS / name, folder / name)
    _write_sizes(plan, folder)
    write_manifest(folder)
    return folder


def plan_packs(wheel: Path) -> Plan:
    """Divide the files of the wheel between the packs."""
    with zipfile.ZipFile(wheel) as core:
        names = [name for name in core.namelist() if not name.startswith(_LEFT_OUT)]
    referee = tuple(name for name in names if name.startswith(REFEREE))
    engine = tuple(name for name in names if name.startswith(ENGINE) and name not in referee)
    return Plan("referee", "engine", ("xiangqi.web.calls",), FIRST_CALLS, referee, engine)


def _write_sizes(plan: Plan, folder: Path) -> None:
    """Write sizes.js for the worker: number of bytes of the packs that each part loads."""
    python, referee, engine = ((folder / name).stat().st_size for name in plan.packs)
    sizes = {"referee": python + referee, "engine": python + referee + engine}
    text = f"export const SIZES = {json.dumps(sizes)};\n"
    (folder / "sizes.js").write_text(text, encoding="utf-8")


def write_manifest(folder: Path) -> None:
    """Write package.json, with the version of the Python package.

    In a workflow it names the repository, which npm requires for a package with provenance.
    """
    manifest = json.loads((SOURCE / "package.json").read_text(encoding="utf-8"))
    manifest["version"] = __version__
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
