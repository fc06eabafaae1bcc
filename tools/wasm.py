"""Compiles the core for WebAssembly: what the site and the npm package share.

The core is compiled by zig, for the stable ABI, so that one wheel fits any version of Pyodide.
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
from tools.wheels import cross_environment
from xiangqi.ground.files import lock_file
from xiangqi.ground.installed import __version__

__all__ = [
    "CORE_OBJECTS",
    "ROOT",
    "RUNTIME",
    "RUNTIME_FILES",
    "SiteError",
    "build_core",
    "find_missing",
]

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
RUNTIME_FILES: Final = ("pyodide.asm.js", "pyodide.asm.wasm", "python_stdlib.zip")
"""Files of Pyodide's npm package that packs are made from."""


class SiteError(RuntimeError):
    """A product for WebAssembly cannot be built, or does not load."""


def find_missing(runtime: Path = RUNTIME) -> list[str]:
    """List what this machine lacks to build and try a product."""
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
