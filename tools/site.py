"""Builds the site: the core compiled for browsers, and its pages.

    python dev.py site                                # build/site
    python dev.py site FOLDER

The core is compiled by zig, for the stable ABI, so that one wheel fits any version of Pyodide. The
result is loaded once in Node.js, to detect a wheel that browsers cannot load.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
import zipfile
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from tools.targets import TARGETS
from tools.wheels import WheelError, cross_environment
from xiangqi.errors import FormatError
from xiangqi.files import lock_file
from xiangqi.installed import __version__
from xiangqi.web.site.build import RUNTIME_FILES, Site
from xiangqi.web.site.offline import write_file_list

__all__ = ["RUNTIME", "SiteError", "build_core", "find_missing", "make_site", "try_site"]

ROOT: Final = Path(__file__).parents[1]
RUNTIME: Final = ROOT / "build/npm/node_modules/pyodide"
WORK: Final = ROOT / "build/wasm"
CORE_OBJECTS: Final = WORK / "temp.emscripten-wasm32-cpython-{}{}/build/release/ext".format(
    *sys.version_info
)
"""Folder of the compiled modules that :func:`build_core` leaves, not linked."""
_NAME: Final = f"meihua_xiangqi-{__version__}-cp311-abi3-emscripten_wasm32.whl"
_LEFT_OUT: Final = (".pyi", ".typed")
_POLL_SECONDS: Final = 0.2
_LOAD_SECONDS: Final = 120


class SiteError(RuntimeError):
    """The site cannot be built, or does not load."""


def find_missing(runtime: Path = RUNTIME) -> list[str]:
    """List what this machine lacks to build and try the site."""
    missing = []
    if shutil.which("node") is None:
        missing.append("Node.js 18 or newer, the program 'node' (Debian, Ubuntu: nodejs)")
    if not all((runtime / name).is_file() for name in RUNTIME_FILES):
        how = "run 'python dev.py site' with the network" if shutil.which("npm") else "install npm"
        missing.append(f"Pyodide from the npm registry in {runtime}: {how} (Debian: npm)")
    if find_spec("ziglang") is None:
        missing.append("the Python package 'ziglang' (extra 'site')")
    return missing


def build_core(work: Path = WORK) -> Path:
    """Build the package for browsers as a wheel; compile only changed modules.

    Other processes wait until it is done. Raises SiteError with the compiler's output.
    """
    work.mkdir(parents=True, exist_ok=True)
    with (work / "lock").open("wb") as lock:
        while not lock_file(lock):
            time.sleep(_POLL_SECONDS)
        return _build_core(work)


def _build_core(work: Path) -> Path:
    library = work / "lib"
    command = [sys.executable, "setup.py", "--quiet", "build", f"--build-base={work}"]
    done = subprocess.run(
        [*command, f"--build-lib={library}"],
        cwd=ROOT,
        env={**os.environ, **cross_environment(TARGETS["wasm"]), "MEIHUA_ABI3": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise SiteError(f"the core does not compile for browsers:\n{done.stderr}")
    wheel = work / _NAME
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as packed:
        for path in sorted(library.rglob("*")):
            if path.is_file() and path.suffix not in _LEFT_OUT:
                packed.write(path, path.relative_to(library).as_posix())
    return wheel


def try_site(folder: Path) -> None:
    """Load the site's Python and core in Node.js and rule on a game; raises SiteError."""
    _run_in_node("try_site.mjs", folder)


def compile_site(folder: Path) -> None:
    """Compile the Python files in the site's archive, to save browsers time; raises SiteError."""
    _run_in_node("compile_site.mjs", folder)


def _run_in_node(name: str, folder: Path) -> None:
    script = Path(__file__).with_name(name)
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
    """Write the site and try it; return its size in bytes. Raises SiteError or FormatError."""
    missing = find_missing()
    if missing:
        raise SiteError("\n  - ".join(["the site needs:", *missing]))
    Site(folder, RUNTIME, build_core()).write()
    compile_site(folder)
    write_file_list(folder)
    try_site(folder)
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def main(folder: Path) -> None:
    """Write the site and print its size; or end with the reason of a failure."""
    try:
        size = make_site(folder)
    except (SiteError, WheelError, FormatError) as error:
        sys.exit(f"site: {error}")
    print(f"{folder / 'index.html'}: {size / 1e6:.1f} MB, loaded once in Node.js")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "build/site")
