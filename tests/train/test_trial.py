"""Trials of changes of the search: they distinguish good from bad, and can be resumed."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from train.generation import GenerationSettings
from train.trial import TOGETHER, Trial, main, read_changes, resume
from train.tune_search import SCALED
from xiangqi.engine.network import DEFAULT
from xiangqi.engine.searcher import PARAMETERS
from xiangqi.ground.files import Journal
from xiangqi.match.stats import Sprt

pytestmark = pytest.mark.long

SETTINGS = GenerationSettings(nodes=60, seed=3)
TUNED = [parameter for parameter in PARAMETERS if parameter.name in SCALED]
GOOD = {parameter.name: parameter.default for parameter in TUNED}
BAD = {parameter.name: parameter.most for parameter in TUNED}
BAD["REDUCTION_BASE"] = 0
"""Nothing is reduced, and next to nothing is pruned."""
HARMLESS = {"NULL_MOVE_VERIFY_DEPTH": 30}
"""Far above the depths of these games."""


def new_trial(changes: dict[str, dict[str, int]], *, each: bool = False, nodes: int = 60) -> Trial:
    settings = replace(SETTINGS, nodes=nodes)
    return Trial(settings, DEFAULT, changes, {}, each)


def play(trial: Trial, pairs: int, workers: int = 1) -> None:
    assert sum(map(len, trial.play(pairs, workers))) == pairs


def test_games_tell_bad_numbers_from_good_ones() -> None:
    worse = new_trial({"bad": BAD}, nodes=1_000)
    play(worse, 16, workers=2)
    better = replace(new_trial({"good": GOOD}, nodes=1_000), base=BAD)
    play(better, 16)
    assert better.results[TOGETHER].points > 20
    assert worse.results[TOGETHER] == better.results[TOGETHER].swapped()


def test_the_same_games_judge_each_change_by_itself() -> None:
    trial = new_trial({"bad": BAD, "none": HARMLESS}, each=True, nodes=600)
    play(trial, 16, workers=2)
    bad, harmless = trial.results.values()
    assert bad.games.total == harmless.games.total == 32
    assert bad.points < 12
    assert abs(harmless.points - 16) < 16 - bad.points


def test_elo_of_each_change_is_found_among_others() -> None:
    """Make-believe games: a side's chance to win follows from the changes that it has."""
    worth = {"large": 60, "none": 0, "small": 20, "bad": -40}
    trial = new_trial({name: {} for name in worth}, each=True)
    rng = random.Random(1)
    for pair in range(20_000):
        has = trial.has_change(pair)
        elo = sum(value if has[name] else -value for name, value in worth.items())
        chance = 1 / (1 + 10 ** (-elo / 400))
        trial.add((float(rng.random() < chance), float(rng.random() < chance)))
    found = {name: stats.elo for name, stats in trial.results.items()}
    assert found == pytest.approx(worth, abs=6)
    assert not trial.is_decided(Sprt(0, 4))  # but for this one
    del trial.results["none"]
    assert trial.is_decided(Sprt(0, 4))
    decisions = [Sprt(0, 4).decision(stats) for stats in trial.results.values()]
    assert decisions == ["H1", "H1", "H0"]


def test_half_of_the_changes_are_with_either_side() -> None:
    trial = new_trial({"a": {"DELTA_MARGIN": 80}, "b": {"TABLE_KEEP": 4}}, each=True)
    seen = set()
    for pair in range(40):
        _, first, second = trial.sides(pair)
        assert {**first.changes, **second.changes} == {"DELTA_MARGIN": 80, "TABLE_KEEP": 4}
        assert not first.changes.keys() & second.changes.keys()
        seen.add(tuple(first.changes))
    assert len(seen) == 4


@pytest.mark.parametrize("cut", [0, 7])
def test_a_resumed_trial_comes_to_the_same(tmp_path: Path, cut: int) -> None:
    changes = read_changes(["DELTA_MARGIN=20", "TABLE_KEEP=0,HISTORY_SLOPE=90"])
    whole, path = new_trial(changes, each=True), tmp_path / "trial.jsonl"
    with Journal(path) as journal:
        resume(whole, journal)
        for batch in whole.play(16, workers=1):
            for points in batch:
                journal.append({"points": points})
    text = path.read_text().splitlines(keepends=True)
    assert len(text) == 17
    path.write_text("".join(text[:9]) + text[9][:cut])  # killed in the middle of a line
    later = new_trial(changes, each=True)
    with Journal(path, resume=True) as journal:
        resume(later, journal)
    assert later.played == 8
    assert sum(map(len, later.play(16, workers=2))) == 8
    assert later.results == whole.results
    other = new_trial(read_changes(["DELTA_MARGIN=21"]), each=True)
    with (
        Journal(path, resume=True) as journal,
        pytest.raises(ValueError, match=f"{path.name} belongs to another trial: 'changes' differs"),
    ):
        resume(other, journal)


USUAL = ("--nodes", "30", "--eval-file", DEFAULT)


def run(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "train.trial", *words, *USUAL]
    return subprocess.run(command, capture_output=True, text=True)


def test_the_command_plays_until_the_test_ends(tmp_path: Path) -> None:
    words = ("--against-eval-file", DEFAULT, "--elo0", "-900", "--elo1", "-800")
    journal = tmp_path / "trial.jsonl"
    for _ in range(2):
        done = run("SINGULAR_MARGIN=40", "--pairs", "400", "--journal", str(journal), *words)
        assert done.returncode == 0, done.stderr
        line = done.stdout.splitlines()[-1]
        assert line.startswith(f"{TOGETHER}: ")
        assert line.endswith("[-900.00, -800.00]: H1")
    lines = [json.loads(line) for line in journal.read_text().splitlines()]
    assert lines[0]["changes"] == {"SINGULAR_MARGIN=40": {"SINGULAR_MARGIN": 40}}
    assert 0 < len(lines) - 1 < 400  # the second call finds the test decided


@pytest.mark.parametrize(
    ("words", "refusal"),
    [
        (("SINGULAR_MARGIN",), "'SINGULAR_MARGIN': expected NAME=VALUE"),
        (
            ("SINGULAR_MARGIN=1", "SINGULAR_MARGIN=2"),
            "'SINGULAR_MARGIN=2': expected NAME=VALUE, each name",
        ),
        (("SINGULAR_MARGIN=20,",), "'': expected NAME=VALUE"),
        (("SINGULARE=3",), "unknown parameter 'SINGULARE'"),
        (("SINGULAR_MARGIN=1",), "SINGULAR_MARGIN is 1, expected 8 to 128"),
        (("--against-eval-file", "none.nnue"), "none.nnue"),
        (("--elo0", "20"), "expected elo0 below elo1"),
        (("--openings", "none.epd"), "none.epd"),
        (("--each",), "--each needs changed parameters"),
    ],
)
def test_the_command_refuses_what_cannot_be_tried(
    monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], refusal: str
) -> None:
    monkeypatch.setattr(sys, "argv", ["trial", *words, *USUAL])
    with pytest.raises(SystemExit) as ended:
        main()
    assert str(ended.value).startswith("trial: ")
    assert refusal in str(ended.value)
