"""Positions of people judged long, and how far networks are from that."""

from __future__ import annotations

import subprocess
import sys
from functools import lru_cache
from pathlib import Path

import numpy as np
import pytest

from tests.support.networks import SMALL, random_payload
from train.compare import interval, ratio
from train.expected_points import error, expected_points, static_values
from train.game_files import SETUP_SIZE, SelfplayGame
from train.generation import GenerationSettings, play_game
from train.held_out import PLIES, samples
from train.people import Judge
from train.sample_files import SAMPLES, Sample, read_samples, write_samples
from train.samples import read_records
from xiangqi import Board
from xiangqi.core.evaluator import evaluate_board
from xiangqi.core.searches import SearchLimits
from xiangqi.engine.network import DEFAULT, choose_network, pack_network
from xiangqi.engine.searcher import make_searcher
from xiangqi.games.tree import Game
from xiangqi.referee.rules import WXF

SETTINGS = GenerationSettings(nodes=100, seed=5, random_plies=2)
NODES = 3_000
COUNT = 20


@lru_cache(maxsize=1)
def played() -> SelfplayGame:
    """The longest of eight games."""
    return max((play_game(SETTINGS, number) for number in range(8)), key=lambda one: len(one.moves))


def beginning(plies: int) -> Game:
    """The first moves of a game."""
    found = Game(Board(played().start).fen())
    found.add_line(played().moves[:plies])
    return found


def interrupt(output: Path) -> bytes:
    """Replace a file by an incomplete part of it with another first score; return what the complete
    file is then."""
    marked = bytearray(output.read_bytes())
    marked[SAMPLES.read(output)[1] + SETUP_SIZE + 1] ^= 1  # the score, by one
    output.with_name(f"{output.name}.part").write_bytes(marked[: 2 * len(marked) // 3])
    output.unlink()
    return bytes(marked)


def test_one_quiet_position_of_a_game_is_judged() -> None:
    games = [beginning(PLIES.start), *(beginning(PLIES.start + 20) for _ in range(COUNT))]
    found = list(samples(games, Judge(DEFAULT), NODES, 1))
    assert 1 < len({sample.ply for sample in found}) <= COUNT
    assert all(PLIES.start <= sample.ply < PLIES.start + 20 for sample in found)
    assert 0 not in {sample.game for sample in found}
    for sample in found:
        board = Board(sample.setup)
        searcher = make_searcher(None, hash_mb=16)
        for nodes in (2_048, NODES):
            result = searcher.search(board, SearchLimits(nodes=nodes), WXF.switches)
        assert result.score == sample.score
        assert not board.is_check()
        assert result.best is not None
        assert not board.is_capture(result.best)


def test_positions_of_people_leave_those_held_out(tmp_path: Path) -> None:
    games, output = tmp_path / "games.txt", tmp_path / "people.samples"
    moves = " ".join(move.iccs() for move in played().moves[: PLIES.start])
    games.write_text(f"position fen {Board(played().start).fen()} moves {moves}\n" * 6)
    command = [sys.executable, "-m", "train.people", str(games), "-o", str(output)]
    words = ["--nodes", "500", "--leave", "3", "--begin", "1", "--end", "5"]
    done = subprocess.run([*command, *words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found = list(read_samples(output))
    assert done.stdout.splitlines()[-1] == f"{len(found)} positions"
    assert {sample.game for sample in found} == {1, 2, 4}
    assert all(8 <= sample.ply <= PLIES.start for sample in found)
    assert len({sample.ply for sample in found}) > 1
    assert not any(Board(sample.setup).is_check() for sample in found)

    marked = interrupt(output)
    words += ["--workers", "2"]
    done = subprocess.run([*command, *words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert output.read_bytes() == marked


def test_the_commands_judge_and_compare(tmp_path: Path) -> None:
    games, held = tmp_path / "games.txt", tmp_path / "held.samples"
    moves = " ".join(move.iccs() for move in played().moves[: PLIES.start + 20])
    games.write_text(f"position fen {Board(played().start).fen()} moves {moves}\n" * 2 * COUNT)

    def run(*words: str | Path) -> list[str]:
        command = [sys.executable, "-m", *map(str, words)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout.splitlines()

    words = ("-o", held, "--nodes", str(NODES), "--every", "2", "--count", "8")
    said = run("train.held_out", games, *words)
    count = len(list(read_samples(held)))
    assert said[-1] == f"{count} positions"
    assert count == 8
    marked = interrupt(held)
    assert run("train.held_out", games, *words)[-1] == said[-1]
    assert held.read_bytes() == marked
    other = tmp_path / "random.nnue"
    other.write_bytes(pack_network(random_payload(1), SMALL, {}))
    first, *errors = run("train.compare", held, "meihua.nnue", other)
    assert first == f"{count} positions"
    assert errors[0].endswith(", 1.000")
    assert [line.split(":")[0] for line in errors] == ["meihua.nnue", str(other)]
    first, *errors_of_both = run("train.compare", held, "--also", held, "meihua.nnue", other)
    assert first == f"{2 * count} positions"
    assert [line.split(" [")[0] for line in errors_of_both] == [
        line.split(" [")[0] for line in errors
    ]


def test_an_interval_holds_the_ratio_and_shrinks_with_more_positions() -> None:
    rng = np.random.default_rng(1)
    first = rng.exponential(0.008, 2_000).astype(np.float32)
    errors = (first * rng.uniform(0.5, 1.0, 2_000)).astype(np.float32)
    widths = []
    for count in (200, 2_000):
        low, high = interval(errors[:count], first[:count])
        assert low < ratio(errors[:count], first[:count]) < high
        widths.append(high - low)
    assert 2 < widths[0] / widths[1] < 5  # the root of 10
    assert interval(first, first) == (1.0, 1.0)


@pytest.mark.parametrize("module", ["people", "held_out"])
def test_unreadable_files_are_reported(tmp_path: Path, module: str) -> None:
    for games, network, expected in (
        (tmp_path / "none.txt", DEFAULT, "none.txt"),
        (tmp_path / "none.txt", "none.nnue", "none.nnue"),
    ):
        words = [str(games), "-o", str(tmp_path / "out"), "--eval-file", network]
        command = [sys.executable, "-m", f"train.{module}", *words]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 1
        assert done.stderr.startswith(f"{module}: ")
        assert expected in done.stderr


def test_errors_are_squared_differences_of_points(tmp_path: Path) -> None:
    path = tmp_path / "one.samples"
    board = Board().setup()
    write_samples(path, {}, [Sample(board, 1, 297, 0, 0), Sample(board, 1, -297, 0, 1)])
    records = read_records(path)
    values = static_values(records, DEFAULT)
    assert values.tolist() == 2 * [evaluate_board(Board(), choose_network().weights)]
    points = 1 / (1 + np.exp(-values[0] / 297))
    expected = 1 / (1 + np.exp(-1))
    wanted = ((points - expected) ** 2 + (points - 1 + expected) ** 2) / 2
    assert error(values, expected_points(records["score"])) == pytest.approx(wanted, rel=1e-5)
