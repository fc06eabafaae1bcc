"""Compiles what the benches have in Cython; the package does not carry it.

``setup.py`` builds it on request, with the flags and directives of the core, into this
folder. A call that finds everything up to date takes about a second.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent


class BuildError(Exception):
    """The compilers' words when they fail."""


def build() -> None:
    """Compile what has changed, so that ``bench.detectors`` can be imported.

    Raises BuildError; setuptools and Cython come with the package's extras ``bench`` and ``test``.
    """
    done = subprocess.run(
        [sys.executable, "setup.py", "--quiet", "build_ext", "--inplace"],
        cwd=ROOT,
        env={**os.environ, "MEIHUA_BENCH": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise BuildError(f"the benches cannot be compiled:\n{done.stdout}{done.stderr}")
