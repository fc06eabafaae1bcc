"""Long work that is killed at any moment and continued: nothing is lost, repeated or damaged."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.support.archives import write_json_lines
from tests.support.game_files import write
from tests.support.game_trees import real_games
from tests.support.patience import PATIENCE_S
from tests.support.soak import SOAK

KILLS = 30 if SOAK else 3
"""Kills of each kind of work."""
GAMES = 8000 if SOAK else 2500
"""Games of the archive, several for each piece of work of a process."""


@dataclass(frozen=True)
class Work:
    """A command of a folder, and how its input is made."""

    prepare: Callable[[Path], object]
    words: Sequence[str]
    resumed: Sequence[str] = ()
    """Words that continue a run."""


WORKS = {
    "analyse": Work(
        lambda folder: (folder / "games.pgn").write_bytes(write(real_games(12, 50))),
        "analyse games.pgn -o out/analysed.jsonl --nodes 60 --workers 2".split(),
        ("--resume",),
    ),
    "archive": Work(
        lambda folder: write_json_lines(folder / "games.jsonl", GAMES),
        "judge games.jsonl -o out/rulings.jsonl --workers 2".split(),
        ("--resume",),
    ),
    "tables": Work(
        lambda folder: None,
        "tables make KRvKN KPvKA --folder out".split(),
    ),
}


def start(folder: Path, words: Sequence[str]) -> subprocess.Popen[bytes]:
    """The command as a process."""
    command = [sys.executable, "-m", "xiangqi", *words]
    quiet = subprocess.DEVNULL
    return subprocess.Popen(command, cwd=folder, stdout=quiet, stderr=subprocess.PIPE)


def contents(folder: Path) -> dict[str, bytes]:
    """Visible files of the output."""
    return {
        path.name: path.read_bytes()
        for path in sorted((folder / "out").iterdir())
        if not path.name.startswith(".")
    }


def is_complete(out: Path) -> bool:
    """Was an analysis killed after its last change of a file? --resume then refuses to begin."""
    path = out / "analysed.jsonl"
    return path.exists() and not path.with_suffix(".jsonl.part").exists()


def finish(process: subprocess.Popen[bytes], seconds: float) -> int | None:
    """Exit code of a process; None if it was killed after this time."""
    try:
        _, errors = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        return None
    assert process.returncode == 0, errors.decode()
    return 0


@pytest.mark.parametrize("name", WORKS)
def test_work_that_is_killed_loses_nothing(name: str, tmp_path: Path) -> None:
    work, rng = WORKS[name], random.Random(f"{name} {KILLS}")
    work.prepare(tmp_path)
    (tmp_path / "out").mkdir()
    began = time.monotonic()
    assert finish(start(tmp_path, work.words), 10 * PATIENCE_S) == 0
    took = time.monotonic() - began
    wanted = contents(tmp_path)
    kills = finished = 0
    while kills < KILLS or not finished:
        for path in (tmp_path / "out").iterdir():
            path.unlink()
        words, code = list(work.words), None
        while code is None:
            is_enough = kills >= KILLS
            code = finish(
                start(tmp_path, words), 10 * PATIENCE_S if is_enough else rng.uniform(0.1, took)
            )
            kills += code is None
            if code is None and is_complete(tmp_path / "out"):
                code = 0
            words = [*work.words, *work.resumed]
        finished += 1
        assert contents(tmp_path) == wanted
    print(f"{name}: {kills} kills, {finished} times finished, {took:.1f} s without a kill")
