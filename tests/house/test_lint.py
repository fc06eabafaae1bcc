"""The code style, checked by machines: ruff, mypy, cython-lint and Cython itself."""

from __future__ import annotations

import hashlib
import re
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest
from cython_lint.cython_lint import PYCODESTYLE_CODES

pytestmark = pytest.mark.long

ROOT = Path(__file__).parents[2]


def run(*command: str) -> str:
    """Complaints of a tool; empty if it is content."""
    done = subprocess.run(
        [sys.executable, "-m", *command], cwd=ROOT, capture_output=True, text=True, check=False
    )
    return "" if done.returncode == 0 else done.stdout + done.stderr


def test_ruff_check() -> None:
    assert not run("ruff", "check", "--output-format=concise", ".")


def test_ruff_format() -> None:
    assert not run("ruff", "format", "--check", ".")


def test_mypy() -> None:
    assert not run("mypy")


def test_cython_lint(request: pytest.FixtureRequest) -> None:
    """Unless it was content with the same files before, as it has no cache of its own and takes
    ten seconds; pycodestyle, which it would start for each file, reads them all in one process."""
    key, found = "meihua/cython-lint", hashlib.sha256(version("cython-lint").encode())
    for path in sorted(path for folder in ("ext", "bench") for path in (ROOT / folder).rglob("*")):
        if path.suffix in (".pyx", ".pxd", ".pxi"):
            found.update(str(path).encode() + b"\0" + path.read_bytes())
    found.update((ROOT / "pyproject.toml").read_bytes())
    if request.config.cache is not None and request.config.cache.get(key, "") == found.hexdigest():
        return
    settings = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    (length,) = re.findall(r"^max-line-length = (\d+)$", settings, re.MULTILINE)
    styles = f"--ignore={','.join(PYCODESTYLE_CODES)}", f"--max-line-length={length}"
    assert not run("cython_lint.cython_lint", "--no-pycodestyle", "ext", "bench")
    assert not run("pycodestyle", *styles, "--filename=*.pyx,*.pxd,*.pxi", "ext", "bench")
    if request.config.cache is not None:
        request.config.cache.set(key, found.hexdigest())


def test_no_file_contains_a_path_of_a_machine() -> None:
    """Paths of somebody's machine have no place in the project."""
    listed = subprocess.run(
        [
            "git",
            "grep",
            "-nE",
            r"/(home|root|work|Users)/[a-z]",
            "--",
            ".",
            ":!tests/house/test_lint.py",
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert not listed.stdout
