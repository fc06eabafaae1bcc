"""Wins of lone attackers in solved tables, and the engine's view of them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from train.lone_attackers import RULES, Share, count_won
from xiangqi.ground.workers import in_this_process
from xiangqi.tables import Tablebase
from xiangqi.tables.classes import parse_class, with_captures
from xiangqi.tables.making import make_tables

CLASSES = {"KNvKA": 1, "KNvKB": 1, "KCAvK": 1, "KCvKA": 1, "KPvK": 2, "KPvKA": 2}
"""Number of shares: soldiers on the last rank are counted separately."""


@pytest.mark.parametrize("name", CLASSES)
def test_the_evaluation_agrees_with_the_tables(name: str, tmp_path: Path) -> None:
    material = parse_class(name)
    for _ in make_tables(tmp_path, with_captures([material]), RULES, in_this_process()):
        pass
    shares = list(count_won(Tablebase(tmp_path), material, 60))
    assert len(shares) == CLASSES[name]
    assert all(share.counted >= 10 and share.is_right for share in shares)


def test_a_class_is_won_or_drawn_or_neither() -> None:
    assert Share("won", 96, 100, is_evaluated_as_won=True).is_right
    assert Share("drawn", 4, 100, is_evaluated_as_won=False).is_right
    for won, is_evaluated_as_won in ((96, False), (4, True), (60, False), (60, True)):
        assert not Share("", won, 100, is_evaluated_as_won).is_right


def test_a_folder_without_tables_proves_nothing(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "train.lone_attackers", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert f"no table with a single attacker in {str(tmp_path)!r}" in done.stderr
