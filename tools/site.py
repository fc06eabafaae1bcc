"""Builds the site: the packs that browsers load, and its pages.

    python dev.py site                                # build/site
    python dev.py site FOLDER

The first pack has the board and the referee, the second one the rest: engine, training, files of
games. They are loaded once in Node.js, to detect what browsers cannot load.
"""

from __future__ import annotations

import subprocess
import sys
import zipfile
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path, PurePosixPath
from typing import Final

from tools.npm import REFEREE
from tools.packs import Plan, make_packs
from tools.wasm import ROOT, SiteError, build_core, find_missing
from tools.wheels import WheelError
from xiangqi.ground.errors import FormatError
from xiangqi.web.site.build import Site

__all__ = ["BOARD", "make_site", "plan_packs", "try_packs"]

PACKS: Final = ROOT / "build/packs/site"
BOARD: Final = (
    *REFEREE,
    "xiangqi/core/tablebase.",
    "xiangqi/core/tables/",
    "xiangqi/tables/",
    *(f"xiangqi/web/pages/{name}.py" for name in ("__init__", "plies")),
    *(f"xiangqi/web/serve/{name}.py" for name in ("__init__", "messages", "positions", "queries")),
    *(f"xiangqi/web/site/{name}.py" for name in ("__init__", "backend")),
)
"""Prefixes of the paths of the files that board and referee need."""
_LEFT_OUT: Final = (
    "xiangqi/cli/",
    "xiangqi/compat/",
    "xiangqi/compliance/",
    "xiangqi/__pyinstaller/",
    "xiangqi/web/agents.py",
    "xiangqi/web/api/",
    "xiangqi/core/samples.",
    "meihua",
)
FIRST_REQUESTS: Final = """
import json
from xiangqi.ground.texts import LANGUAGES
from xiangqi.web.serve.messages import Request
from xiangqi.web.serve.queries import Queries
from xiangqi.web.site.backend import QUICK
routes = Queries().routes
cycle = {"fen": "9/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w", "moves": "f0e0 e8f8 e0f0 f8e8".split() * 2}
for language in LANGUAGES:
    for path in QUICK:
        body = json.dumps({**cycle, "lang": language}).encode()
        if routes[path].answer(Request(path, body)).status != 200:
            raise ValueError(path)
"""
"""Program whose work the snapshot saves."""
_NEEDED: Final = ("jinja2", "markupsafe")
"""Required packages; both are pure Python but for an optional accelerator."""
_LOAD_SECONDS: Final = 300


def plan_packs(wheel: Path) -> Plan:
    """Divide the files of the wheel between the packs."""
    with zipfile.ZipFile(wheel) as core:
        names = [name for name in core.namelist() if not name.startswith(_LEFT_OUT)]
    board = tuple(name for name in names if name.startswith(BOARD))
    rest = tuple(name for name in names if name not in set(board))
    roots = ("xiangqi.web.site.backend",)
    return Plan("board", "rest", roots, FIRST_REQUESTS, board, rest, dict(_needed_files()))


def _needed_files() -> Iterator[tuple[str, bytes]]:
    for name in _NEEDED:
        for path in metadata.files(name) or ():
            if path.suffix in (".py", ".txt", ".rst") or path.name == "METADATA":
                yield str(PurePosixPath(path)), path.read_binary()


def try_packs(folder: Path) -> None:
    """Load packs in Node.js, import every compiled module and rule on a game; raises SiteError."""
    script = Path(__file__).with_name("try_packs.mjs")
    try:
        done = subprocess.run(
            ["node", str(script), str(folder.absolute())],
            capture_output=True,
            text=True,
            timeout=_LOAD_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise SiteError(f"the site did not load within {_LOAD_SECONDS} s") from error
    if done.returncode:
        raise SiteError(f"the site does not load:\n{(done.stderr or done.stdout).strip()}")


def make_site(folder: Path) -> int:
    """Write the site and return its size in bytes. Raises SiteError or FormatError."""
    missing = find_missing()
    if missing:
        raise SiteError("\n  - ".join(["the site needs:", *missing]))
    wheel = build_core()
    make_packs(plan_packs(wheel), wheel, PACKS)
    try_packs(PACKS)
    return Site(folder, PACKS).write()


def main(folder: Path) -> None:
    """Write the site and print its size; or end with the reason of a failure."""
    try:
        size = make_site(folder)
    except (SiteError, WheelError, FormatError) as error:
        sys.exit(f"site: {error}")
    print(f"{folder / 'index.html'}: {size / 1e6:.1f} MB, loaded once in Node.js")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "build/site")
