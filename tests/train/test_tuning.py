"""Tuning the numbers of the search: towards what wins, and the same however it is done."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest

from train.pairs import Side, play_pair
from train.tune_search import SCALED, Tuning, tune
from xiangqi.engine.network import HAND_MADE
from xiangqi.engine.searcher import PARAMETERS
from xiangqi.selfplay.generation import GenerationSettings

SETTINGS = GenerationSettings(nodes=60, network=HAND_MADE, seed=3)
TUNED = tuple(parameter for parameter in PARAMETERS if parameter.name in SCALED)
DEFAULTS = {parameter.name: float(parameter.default) for parameter in TUNED}


def new_tuning(pairs: int) -> Tuning:
    return Tuning(TUNED, pairs, seed=1)


def test_the_names_are_parameters() -> None:
    assert [parameter.name for parameter in TUNED] == list(SCALED)


def test_numbers_go_where_the_games_are_won() -> None:
    """A make-believe game: the nearer to the goal, in steps, the likelier the win."""
    goal = {
        parameter.name: parameter.default + sign * 6 * parameter.step
        for parameter, sign in zip(TUNED, [1, -1] * len(TUNED), strict=False)
    }
    goal = {name: max(value, 25) for name, value in goal.items()}

    def distance(numbers: dict[str, float]) -> float:
        return sum(
            ((numbers[parameter.name] - goal[parameter.name]) / parameter.step) ** 2
            for parameter in TUNED
        )

    tuning, rng = new_tuning(6_000), random.Random(1)
    before = distance(tuning.numbers)
    for pair in range(tuning.pairs):
        directions = tuning.directions(pair)
        down, up = (distance(tuning.perturbed(directions, sign)) for sign in (-1, 1))
        won = 2 if rng.random() < 0.5 + max(-0.5, min(0.5, (down - up) / 400)) else -2
        tuning.learn([(directions, won)])
    assert distance(tuning.numbers) < before / 10
    assert distance(tuning.found()) < distance(tuning.numbers)


def test_numbers_stay_within_their_bounds() -> None:
    tuning = new_tuning(10)
    for _ in range(1_000):
        tuning.learn([(dict.fromkeys(DEFAULTS, 1), 2)])
        tuning.played = 0
    assert tuning.numbers == {parameter.name: parameter.most for parameter in TUNED}
    assert tuning.perturbed(dict.fromkeys(DEFAULTS, 1), 1) == tuning.numbers


def test_the_same_numbers_win_as_much_as_they_lose() -> None:
    same = Side(HAND_MADE, DEFAULTS)
    pairs = [play_pair(SETTINGS, (game, same, same)) for game in range(4)]
    assert [sum(points) for points in pairs] == [1] * 4


def test_other_workers_and_another_day_come_to_the_same() -> None:
    whole, shared, later = new_tuning(16), new_tuning(16), new_tuning(16)
    assert len(list(tune(whole, SETTINGS, workers=1))) == 2
    assert len(list(tune(shared, SETTINGS, workers=2))) == 2
    list(islice(tune(later, SETTINGS, workers=1), 1))
    resumed = replace(later)
    assert len(list(tune(resumed, SETTINGS, workers=1))) == 1
    assert whole == shared == resumed
    assert whole.numbers != DEFAULTS


def test_a_batch_is_played_from_the_same_numbers() -> None:
    one, two = new_tuning(16), replace(new_tuning(16), batch=16)
    assert len(list(tune(two, SETTINGS, workers=1))) == 1
    list(tune(one, SETTINGS, workers=1))
    assert one.played == two.played == 16
    assert one.numbers != two.numbers != DEFAULTS


def test_the_mean_is_that_of_the_last_half() -> None:
    tuning = new_tuning(5)
    seen = []
    for pair in range(5):
        tuning.learn([(tuning.directions(pair), 2)])
        seen.append(dict(tuning.numbers))
    mean = {name: sum(numbers[name] for numbers in seen[3:]) / 2 for name in DEFAULTS}
    assert tuning.found() == pytest.approx(mean)
    assert new_tuning(5).found() == DEFAULTS


def run(path: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "train.tune_search", str(path), *words]
    usual = ("--nodes", "30", "--eval-file", HAND_MADE, "--pairs", "8")
    return subprocess.run([*command, *usual], capture_output=True, text=True)


def test_the_command_writes_the_numbers_and_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "tuned.json"
    for _ in range(2):
        done = run(path, "SINGULAR_MARGIN")
        found = json.loads(path.read_text())
        assert found["played"] == 8
        assert f"SINGULAR_MARGIN {found['sums']['SINGULAR_MARGIN'] / 4:.1f}" in done.stdout
    other = run(path, "DELTA_MARGIN")
    assert other.returncode == 1
    assert f"{path} was made by" in other.stderr


def test_the_command_says_what_is_wrong(tmp_path: Path) -> None:
    done = run(tmp_path / "x", "SINGULARE_MARGIN")
    assert done.returncode == 2
    assert "unknown parameter 'SINGULARE_MARGIN': expected one of " in done.stderr
    assert "'0' is not a positive integer" in run(tmp_path / "x", "--batch", "0").stderr
    (tmp_path / "damaged").write_text("{")
    assert "tune_search: " in run(tmp_path / "damaged").stderr
