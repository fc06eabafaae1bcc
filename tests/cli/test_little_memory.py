"""Programs with little memory, as under ``ulimit -v``: they work, or say that it is not enough."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.support.patience import PATIENCE_S
from tests.support.soak import SOAK
from tests.support.systems import on_linux

ROOT = Path(__file__).parents[2]
LIMITS_MB = range(20, 130, 2 if SOAK else 12)
"""Address space; Python alone does not start with less."""
PROGRAMS = {
    "engine": ("import meihua; meihua.start_engine()", ()),
    "bench": ("import meihua; meihua.start_commands()", ("bench", "3")),
    "judge": ("import meihua; meihua.start_commands()", ("judge", "--case", "D60a")),
    "convert": (
        "import meihua; meihua.start_commands()",
        ("convert", "chariot.xqf", "--to", "pgn", "-"),
    ),
}


def run(program: str, megabytes: int) -> subprocess.CompletedProcess[str]:
    """Run a program within a limit, which is set when Python itself runs."""
    code, words = PROGRAMS[program]
    size = megabytes << 20
    limit = f"import resource as r; r.setrlimit(r.RLIMIT_AS, ({size}, {size})); {code}"
    return subprocess.run(
        [sys.executable, "-c", limit, *words],
        cwd=ROOT / "examples",
        env={"PYTHONPATH": str(ROOT), "LC_ALL": "C.UTF-8", "PATH": ""},
        input="uci\nposition startpos\ngo depth 3\nquit\n",
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=PATIENCE_S,
    )


@on_linux
@pytest.mark.parametrize("program", PROGRAMS)
def test_little_memory_is_enough_or_is_reported(program: str) -> None:
    found: dict[bool, int] = {True: 0, False: 0}
    for megabytes in LIMITS_MB:
        done: Any = run(program, megabytes)
        found[done.returncode == 0] += 1
        place = f"{program}, {megabytes} MB: {done.stderr}{done.stdout}"
        assert done.returncode in (0, 1), place
        if "code for hash" in done.stderr:  # Python's own hashlib logs what it could not load
            continue
        assert "Traceback" not in done.stderr, place
        if done.returncode:
            assert "not enough memory: " in done.stderr.splitlines()[-1], place
    assert found[True], "enough at the end"
    assert found[False], "not enough at the beginning"
