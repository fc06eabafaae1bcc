"""``xiangqi.compat.pyffish`` beside pyffish itself, on positions of real games."""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.support.helpers import data_file
from tests.support.soak import SOAK
from xiangqi import Move
from xiangqi.compat import pyffish as ours
from xiangqi.games.record import GameRecord
from xiangqi.ground.errors import FenError, InvalidTextError, RecordError
from xiangqi.notation import format_coordinates
from xiangqi.pieces.fen import STARTING_FEN

pytestmark = pytest.mark.long

Position = tuple[str, list[str], str]
"""A FEN some plies before a position, the moves that lead to it, and the next move or ''."""
V = "xiangqi"
GAMES = 500
POSITIONS = 5_000
STEP = 1 if SOAK else 29
"""pyffish takes 3 ms for each answer: all 5,000 are compared nightly, else each 29th."""
WINDOW = 16
"""Plies before a position that both libraries get as a list of moves: two cycles and more."""
MATE_FEN = "4k4/R8/9/9/9/9/9/9/1R7/3K5 w - - 0 1"
CHECKING = ["f1e1", "e9f9", "e1f1", "f9e9"]
CHECKED_FEN = "9/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w - - 0 1"


@pytest.fixture(scope="module")
def theirs() -> Any:
    return pytest.importorskip("pyffish", reason="pyffish is not installed (extra bench)")


@pytest.fixture(scope="module")
def positions() -> list[Position]:
    with gzip.open(data_file("games.jsonl.gz"), "rt", encoding="utf-8") as lines:
        games = [json.loads(line) for line in lines]
    rng = random.Random(39)
    chosen = [
        found
        for game in rng.sample(games, GAMES)
        for found in draw_positions(game, rng, POSITIONS // GAMES)
    ]
    assert len(chosen) == POSITIONS
    return chosen


def draw_positions(game: dict[str, Any], rng: random.Random, count: int) -> Iterator[Position]:
    """The last position of a game and some drawn ones."""
    moves = game["moves"]
    written = [format_coordinates(Move.from_iccs(move), 1) for move in moves]
    for end in [len(moves), *(rng.randrange(len(moves)) for _ in range(count - 1))]:
        begin = max(0, end - WINDOW)
        fen = GameRecord(game["start_fen"], tuple(moves[:begin])).play().fen()
        yield fen, written[begin:end], written[end] if end < len(moves) else ""


@pytest.fixture(scope="module")
def some(positions: list[Position]) -> list[Position]:
    return positions[::STEP]


@pytest.mark.parametrize(
    ("name", "read"),
    [("legal_moves", sorted), ("get_fen", str), ("gives_check", bool)],
)
def test_positions_of_real_games(
    theirs: Any, some: list[Position], name: str, read: Callable[[Any], Any]
) -> None:
    for fen, moves, _ in some:
        found = read(getattr(ours, name)(V, fen, moves))
        assert found == read(getattr(theirs, name)(V, fen, moves)), (fen, moves)


@pytest.mark.parametrize("notation", ["NOTATION_DEFAULT", "NOTATION_XIANGQI_WXF"])
def test_moves_of_real_games(theirs: Any, some: list[Position], notation: str) -> None:
    for fen, moves, move in some:
        if move:
            here = ours.get_fen(V, fen, moves)
            found = ours.get_san(V, here, move, notation=getattr(ours, notation))
            expected = theirs.get_san(V, here, move, False, getattr(theirs, notation))
            assert found == expected, (here, move)


def test_endings_of_real_games(theirs: Any, positions: list[Position]) -> None:
    """All rulings on repetitions agree. pyffish draws after 50 rounds without a capture, the WXF
    rules after 60; its value means nothing where the game goes on.
    """
    repeated = drawn = 0
    for number, (fen, moves, _) in enumerate(positions):
        found = ours.is_optional_game_end(V, fen, moves)
        clock = int(ours.get_fen(V, fen, moves).split()[4])
        if number % STEP and clock < 100 and not found[0]:
            continue
        is_over, value = theirs.is_optional_game_end(V, fen, moves)
        if 100 <= clock < 120 and not found[0]:
            assert (is_over, value) == (True, 0), (fen, moves)
            drawn += 1
        else:
            assert found == ((True, value) if is_over else (False, 0)), (fen, moves)
            repeated += is_over
    assert (repeated, drawn) == (48, 8)


def test_a_mate(theirs: Any) -> None:
    for call in (ours.game_result, theirs.game_result):
        assert call(V, MATE_FEN, ["b2b10"]) == -32_000


def test_a_repetition_is_a_result(theirs: Any) -> None:
    """pyffish's game_result knows no repetition: it calls this mate or stalemate."""
    for moves, value in ((CHECKING * 2, -32_000), ([*CHECKING * 2, CHECKING[0]], 32_000)):
        assert ours.game_result(V, CHECKED_FEN, moves) == value
        assert theirs.is_optional_game_end(V, CHECKED_FEN, moves) == (True, value)
        assert theirs.game_result(V, CHECKED_FEN, moves) == -32_000


def test_constants(theirs: Any) -> None:
    for name in ours.__all__:
        if name.isupper():
            assert getattr(ours, name) == getattr(theirs, name)
    assert ours.start_fen(V) == theirs.start_fen(V)


# Where pyffish answers at random or crashes, ours raises an error


def test_a_game_that_goes_on_has_no_result() -> None:
    with pytest.raises(RecordError, match="the game goes on, expected a finished game"):
        ours.game_result(V, STARTING_FEN, ["h3e3"])
    assert ours.is_optional_game_end(V, STARTING_FEN, ["h3e3"]) == (False, 0)
    assert ours.is_optional_game_end(V, MATE_FEN, ["b2b10"]) == (False, 0)


def test_wrong_input_is_quoted() -> None:
    with pytest.raises(InvalidTextError, match="'chess': expected the variant 'xiangqi'"):
        ours.legal_moves("chess", STARTING_FEN, [])
    with pytest.raises(FenError, match="'bad'"):
        ours.get_fen(V, "bad", [])
    with pytest.raises(RecordError, match="move 2: 'h8h13': expected two different squares"):
        ours.gives_check(V, STARTING_FEN, ["h3e3", "h8h13"])
    with pytest.raises(RecordError, match="move 1: 'a1a9'"):
        ours.get_san(V, STARTING_FEN, "a1a9")
    with pytest.raises(InvalidTextError, match="'6': expected NOTATION_DEFAULT"):
        ours.get_san(V, STARTING_FEN, "h3e3", notation=6)
