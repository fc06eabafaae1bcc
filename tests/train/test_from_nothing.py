"""Dry runs of the commands that make positions, train networks on them and play these."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.train.test_training import random_network
from train.from_nothing import MAX_BYTES, POSITION_BYTES
from train.game_files import GAMES
from train.sample_files import read_games
from xiangqi.engine.network import Shape, choose_network, pack_network

POSITIONS = 400


def run(*words: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "train.from_nothing", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("networks")
    done = run("positions", found, "--positions", POSITIONS, "--workers", 2)
    assert done.returncode == 0, done.stderr
    return found


def test_positions_take_at_most_twenty_bytes(folder: Path) -> None:
    (path,) = folder.glob("*.games")
    quiet = sum(game.quiet for game in read_games(path))
    size = path.stat().st_size
    assert quiet >= POSITIONS
    assert size - GAMES.read(path)[1] <= POSITION_BYTES * quiet
    assert size <= MAX_BYTES


def test_finished_positions_are_kept(folder: Path) -> None:
    (path,) = folder.glob("*.games")
    before = path.read_bytes()
    assert run("positions", folder, "--positions", POSITIONS).returncode == 0
    assert [*folder.glob("*.games")] == [path]
    assert path.read_bytes() == before


def test_network_of_384_neurons_is_trained(folder: Path) -> None:
    pytest.importorskip("torch", reason="PyTorch is not installed")
    done = run("train", folder, "--hidden", 384, "--epochs", 1)
    assert done.returncode == 0, done.stderr
    network = choose_network(str(folder / "384.nnue"))
    assert network is not None
    assert network.training["epochs"] == 1
    assert "--start" not in network.training["command"]


def test_four_games_are_played_against_the_shipped_network(tmp_path: Path) -> None:
    shape = Shape(384, "chariots")
    network = tmp_path / "384.nnue"
    network.write_bytes(pack_network(random_network(1, shape).payload(), shape, {}))
    done = run("play", tmp_path, "--fast", 4, "--slow", 0)
    assert done.returncode == 0, done.stderr
    lines = (tmp_path / "384.0.1s.jsonl").read_text(encoding="utf-8").splitlines()
    played = [line for line in map(json.loads, lines) if "result" in line]
    assert len(played) == 4
    assert all({line["red"], line["black"]} == {"384", "shipped"} for line in played)


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("train",), "no files of games"),
        (("play",), "no networks"),
        (("play", "--fast", "3"), "'3' is not an even number of games"),
    ],
)
def test_missing_files_and_odd_games_are_reported(
    tmp_path: Path, words: tuple[str, ...], complaint: str
) -> None:
    command, *others = words
    done = run(command, tmp_path, *others)
    assert done.returncode > 0
    assert complaint in done.stderr
