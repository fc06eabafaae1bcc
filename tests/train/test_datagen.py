"""Self-play for training: the same games however they are played, and only quiet positions."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest

from train import generation
from train.game_files import GAMES as GAMES_FILE
from train.game_files import SelfplayGame
from train.generation import GenerationSettings, SelfPlay, generate_games, play_game
from train.sample_files import Sample, quiet_samples, read_games
from xiangqi import Board
from xiangqi.engine import is_decided
from xiangqi.games.record import POINTS
from xiangqi.ground.workers import Workers, in_processes, in_this_process, on_executor
from xiangqi.match.openings import Opening
from xiangqi.referee.rules import ALL_DRAWS

QUICK = GenerationSettings(nodes=1_000, seed=5)
FAST = replace(QUICK, nodes=100)
"""Settings of games that are only compared with each other."""
GAMES = 6
HEAD = 40  # bytes of a packed game before its moves


@pytest.fixture(scope="module")
def played() -> list[SelfplayGame]:
    return [play_game(QUICK, number) for number in range(GAMES)]


@pytest.fixture(scope="module")
def games(played: list[SelfplayGame]) -> list[bytes]:
    """These games as they are written."""
    return [game.pack() for game in played]


@pytest.fixture(scope="module")
def samples(played: list[SelfplayGame]) -> list[list[Sample]]:
    """The quiet positions of each of these games."""
    return [list(quiet_samples(game)) for game in played]


def generated(workers: Workers) -> list[bytes]:
    return [game.pack() for game in islice(generate_games(FAST, workers), GAMES)]


@pytest.fixture(scope="module")
def fast_games() -> list[bytes]:
    found = [play_game(FAST, number).pack() for number in range(GAMES)]
    assert len(set(found)) == GAMES
    return found


def test_threads_play_the_same_games(fast_games: list[bytes]) -> None:
    with ThreadPoolExecutor(3) as executor:
        assert generated(on_executor(executor, 3)) == fast_games


def test_processes_play_the_same_games(fast_games: list[bytes]) -> None:
    assert generated(in_processes(2)) == fast_games


def test_a_worker_unpickles_the_settings_only_once() -> None:
    generation._unpack.cache_clear()
    assert len(list(islice(generate_games(FAST, in_this_process()), 3))) == 3
    assert generation._unpack.cache_info().misses == 1


def test_a_game_does_not_depend_on_those_before(games: list[bytes]) -> None:
    assert next(generate_games(QUICK, in_this_process(), first=4)).pack() == games[4]


def test_another_seed_number_or_end_of_searches_gives_another_game(games: list[bytes]) -> None:
    other = play_game(replace(QUICK, seed=6), 0)
    soft = play_game(replace(QUICK, soft_nodes=300), 0)
    packed = (*games, other.pack(), soft.pack())
    assert len({game[HEAD:] for game in packed}) == GAMES + 2


def test_soft_limits_end_searches_between_iterations() -> None:
    """They may think longer than the limit, and do so where the move or the score changes."""
    soft = SelfPlay(replace(QUICK, nodes=3_000, soft_nodes=300))
    board = Board()
    nodes = []
    for _ in range(20):
        found = soft.search(board)
        assert found.best is not None
        nodes.append(found.nodes)
        board.push(found.best)
    assert all(300 <= count <= 3_000 for count in nodes)
    assert len(set(nodes)) > 10


def test_the_result_of_a_game_is_what_its_end_tells(played: list[SelfplayGame]) -> None:
    for game in played:
        board = [board for board, _, _ in game.boards()][-1].copy()
        outcome = board.outcome()
        points = None if outcome is None else POINTS[outcome.result()]
        assert points in (None, game.result / 2)
        assert len(game.moves) - len(game.scores) >= QUICK.random_plies
        assert game.quiet == len(list(quiet_samples(game)))


def test_samples_are_quiet_positions_of_one_game(samples: list[list[Sample]]) -> None:
    assert sum(map(len, samples)) > 20 * GAMES
    for number, game in enumerate(samples):
        assert {sample.game for sample in game} == {number}
        assert len({sample.result for sample in game}) == 1
        plies = [sample.ply for sample in game]
        assert plies == sorted(set(plies))
        assert plies[0] >= QUICK.random_plies
        seen = {(sample.setup.board, sample.setup.turn) for sample in game}
        assert len(seen) == len(game)
        for sample in game:
            assert not Board(sample.setup).is_check()
            assert not is_decided(sample.score)


def test_winners_are_ahead_in_the_end(samples: list[list[Sample]]) -> None:
    """On average, for now and then the last quiet position came before a blunder."""
    last = [sample for game in samples if game[0].result != 1 for sample in game[-5:]]
    winner_is_to_move = [(sample.result == 2) == sample.setup.turn for sample in last]
    ahead = [
        sample.score if is_his else -sample.score
        for sample, is_his in zip(last, winner_is_to_move, strict=True)
    ]
    assert sum(ahead) > 200 * len(last)


def test_games_begin_with_chances_for_both_sides(samples: list[list[Sample]]) -> None:
    assert all(abs(game[0].score) < 3 * QUICK.imbalance for game in samples)
    boards = {game[0].setup.board for game in samples}
    assert len(boards) == GAMES


def test_an_opening_is_played_on() -> None:
    opening = Opening("3ak4/4a4/9/9/2C6/9/9/9/4A4/3AK4 w - - 0 1", ("c5c6",))
    settings = replace(QUICK, random_plies=2, openings=(opening,))
    pieces = len(opening.board().setup().piece_map())
    assert all(
        len(sample.setup.piece_map()) <= pieces for sample in quiet_samples(play_game(settings, 0))
    )


def test_lopsided_openings_are_played_without_random_moves_rather_than_for_ever() -> None:
    opening = Opening("4k4/9/9/9/9/9/9/9/4A4/R2AK3R w - - 0 1")
    settings = replace(QUICK, imbalance=10, openings=(opening,))
    assert play_game(settings, 0).pack() == play_game(settings, 0).pack()


def test_the_rules_decide_the_games() -> None:
    opening = Opening("3ak4/4a4/4b4/9/9/9/9/4B4/4A4/3AK1C2 w - - 0 1")
    rules = ALL_DRAWS.replace({"no_capture_limit": 6})
    settings = replace(QUICK, rules=rules, openings=(opening,), random_plies=0)
    samples = list(quiet_samples(play_game(settings, 0)))
    assert samples
    assert all(sample.result == 1 and sample.ply < 6 for sample in samples)
    facts = settings.facts()
    assert facts["rules"]["offences"] == "none"
    assert facts["search"]["REDUCTION_DEPTH"] == 3


def test_thousands_of_openings_are_reported_in_short(tmp_path: Path) -> None:
    path = tmp_path / "none.games"
    begun = [Opening(Board().fen(), (move.iccs(),)) for move in Board().list_moves()]
    openings_seen = []
    for openings in (begun * 1_000, begun * 999):
        facts = replace(QUICK, openings=tuple(openings)).facts()
        path.write_bytes(GAMES_FILE.pack(facts))
        assert path.stat().st_size < 10_000
        assert GAMES_FILE.read(path)[0] == facts
        openings_seen.append(facts["openings"])
    assert [openings["count"] for openings in openings_seen] == [44_000, 43_956]
    assert openings_seen[0]["sha256"] != openings_seen[1]["sha256"]


# The command


def run(*words: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "train.datagen", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_command_writes_so_many_games(tmp_path: Path, games: list[bytes]) -> None:
    path = tmp_path / "some.games"
    done = run(path, "--games", 3, "--nodes", QUICK.nodes, "--seed", 5)
    assert done.returncode == 0, done.stderr
    found = list(read_games(path))
    assert [game.pack() for game in found] == games[:3]
    assert GAMES_FILE.read(path)[0] == QUICK.facts()
    assert f"3 games, {sum(game.quiet for game in found)} positions\n" == done.stdout


def test_the_command_goes_on_to_the_same_file(tmp_path: Path) -> None:
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    options = ("--nodes", 40)
    assert run(whole, "--positions", 500, *options).returncode == 0
    assert run(parts, "--positions", 150, *options).returncode == 0
    parts.write_bytes(parts.read_bytes()[:-5])
    refused = run(parts, "--positions", 500, *options)
    assert refused.returncode == 1
    assert "--resume" in refused.stderr
    assert run(parts, "--positions", 500, "--resume", *options).returncode == 0
    assert parts.read_bytes() == whole.read_bytes()
    assert sum(game.quiet for game in read_games(whole)) >= 500


def test_the_command_says_what_is_wrong(tmp_path: Path) -> None:
    path = tmp_path / "other"
    path.write_text("no games\n")
    done = run(path, "--games", 1, "--resume")
    assert done.returncode == 1
    assert "expected b'MEIHUAGM'" in done.stderr
