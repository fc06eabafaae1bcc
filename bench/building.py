"""Compiles ``detectors.pyx``, which is not part of the package.

``setup.py`` builds it on request, with the flags and directives of the core, into this folder. A
call takes about a second if everything is up to date.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent


class BuildError(Exception):
    """Compilation has failed; the message has the output of the compilers."""


def build() -> None:
    """Compile ``bench.detectors`` if necessary. Raises BuildError.

    setuptools and Cython come with the package's extras ``bench`` and ``test``.
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
        raise BuildError(f"bench.detectors cannot be compiled:\n{done.stdout}{done.stderr}")
