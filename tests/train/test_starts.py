"""Positions to begin self-play with: sacrifices and attacked kings, neither side far ahead."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from train.generation import GenerationSettings, play_game
from train.starts import MAX_AHEAD, PLIES, AnyChooser, SharpChooser, is_sharp, starts
from xiangqi import Board, Move
from xiangqi.core.searches import SearchLimits
from xiangqi.engine.network import DEFAULT
from xiangqi.engine.searcher import make_searcher
from xiangqi.games.tree import Game
from xiangqi.match.openings import read_openings
from xiangqi.referee.rules import WXF

SHARP = {
    "a horse given": "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/R1BAKABNR w",
    "a bare king attacked": "2bak1b2/9/2nc5/p1R1p3p/4C1N2/9/P3P3P/2r1n1c2/9/2BAKAB2 b",
}
CALM = {
    "the beginning": Board().fen(),
    "guards at home": "2baka3/9/2n1b1c2/p1R1p3p/4C1N2/9/P3P3P/2N1B1c2/5r3/2BAKA3 b",
    "few attackers": "3k5/9/9/4p4/9/4P4/4c4/4C4/9/4K4 w",
}


@pytest.mark.parametrize("name", SHARP)
def test_a_position_is_sharp(name: str) -> None:
    assert is_sharp(Board(SHARP[name]))
    assert is_sharp(Board(SHARP[name]).flip_colors())


@pytest.mark.parametrize("name", CALM)
def test_a_position_is_calm(name: str) -> None:
    assert not is_sharp(Board(CALM[name]))
    assert not is_sharp(Board(CALM[name]).flip_colors())


GIVEN = "rnbakab1r/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1CN3NC1/4R4/R3K4 w - - 0 1"
"""Red has given its guards for a horse and development."""
WAITING = 5 * ["a0a1", "a9a8", "a1a0", "a8a9"]


def test_a_sharp_position_of_a_game_is_chosen() -> None:
    fen = SharpChooser(DEFAULT, 1).choose(game_of(WAITING))
    assert fen is not None
    assert is_sharp(Board(fen))
    limits = SearchLimits(nodes=5_000)
    score = make_searcher(None, hash_mb=1).search(Board(fen), limits, WXF.switches).score
    assert abs(score) <= MAX_AHEAD


def game_of(moves: list[str]) -> Game:
    game = Game(GIVEN)
    game.add_line(map(Move.from_iccs, moves))
    return game


def test_any_position_is_drawn_but_the_first_and_the_last_ones() -> None:
    played = play_game(GenerationSettings(nodes=40), 0)
    boards = [Board(played.start)]
    for move in played.moves[: PLIES.start + 4]:
        boards.append(boards[-1].copy())
        boards[-1].push(move)
    game = Game(boards[0].fen())
    game.add_line(played.moves[: PLIES.start + 4])
    drawn = {AnyChooser(seed).choose(game) for seed in range(40)}
    assert drawn == {board.fen() for board in boards[PLIES.start : -1]}
    assert AnyChooser(1).choose(game_of(WAITING[: PLIES.start])) is None
    found = list(starts(enumerate([game] * 40), AnyChooser(1)))
    assert len(found) == len(drawn)  # none twice
    assert all(line.endswith(" - - 0 1") for line in found)


def test_the_command_writes_openings(tmp_path: Path) -> None:
    games, output = tmp_path / "games.txt", tmp_path / "sharp.epd"
    games.write_text(f"position fen {GIVEN} moves {' '.join(WAITING)}\n" * 2)
    command = [sys.executable, "-m", "train.starts", str(games), "-o", str(output), "--sharp"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found = read_openings(output)
    assert done.stdout.split() == [str(len(found)), "positions"]
    assert len(found) in (1, 2)  # the two games may give the same one
    assert len({opening.fen for opening in found}) == len(found)
    assert all(is_sharp(opening.board()) for opening in found)
