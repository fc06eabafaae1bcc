"""The code style, checked by machines: ruff, mypy, cython-lint and Cython itself."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

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


def test_cython_lint() -> None:
    """It looks for its own helper program on the path."""
    programs = Path(sys.executable).parent
    done = subprocess.run(
        [programs / "cython-lint", "ext", "bench"],
        cwd=ROOT,
        env={**os.environ, "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_no_file_speaks_of_a_machine() -> None:
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
