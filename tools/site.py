"""Makes the site: the core compiled for browsers, and the pages around it.

    python dev.py site                                # build/site
    python dev.py site FOLDER

The core is compiled by zig, for the stable ABI, so that one wheel does for any Pyodide.
"""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Final

from tools.targets import TARGETS
from tools.wheels import cross_environment
from xiangqi.version import __version__
from xiangqi.web.site.build import Site

__all__ = ["RUNTIME", "build_core", "make_site"]

ROOT: Final = Path(__file__).parents[1]
RUNTIME: Final = ROOT / "build/npm/node_modules/pyodide"
_NAME: Final = f"meihua_xiangqi-{__version__}-cp311-abi3-emscripten_wasm32.whl"
_LEFT_OUT: Final = (".pyi", ".typed")


def build_core(work: Path = ROOT / "build/wasm") -> Path:
    """The package for browsers as a wheel; only what has changed is compiled.

    Raises RuntimeError, with what the compiler said, where it fails.
    """
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
        raise RuntimeError(f"the core does not compile for browsers:\n{done.stderr}")
    wheel = work / _NAME
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as packed:
        for path in sorted(library.rglob("*")):
            if path.is_file() and path.suffix not in _LEFT_OUT:
                packed.write(path, path.relative_to(library).as_posix())
    return wheel


def make_site(folder: Path) -> int:
    """Write the site; how many bytes it has. Raises RuntimeError, or FormatError."""
    return Site(folder, RUNTIME, build_core()).write()


if __name__ == "__main__":
    chosen = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "build/site"
    print(f"{chosen / 'index.html'}: {make_site(chosen) / 1e6:.1f} MB")
