"""Positions to test with, from seeds: played at random, or laid out wildly around the kings."""

import random
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import strategies as st

from tests.oracle.game import Position, read_fen
from xiangqi import (
    ADVISOR,
    BISHOP,
    BLACK,
    CANNON,
    KING,
    KNIGHT,
    PAWN,
    RED,
    ROOK,
    SQUARES,
    STARTING_FEN,
    Board,
    Color,
    Move,
    Piece,
    PositionError,
    Setup,
    Square,
    square_file,
    square_name,
    square_rank,
)
from xiangqi.pieces import parse_square, square_flip


def squares(names: str) -> frozenset[Square]:
    """The squares of some names: "a0 e4"."""
    return frozenset(parse_square(name) for name in names.split())


def names(found: Iterable[Square]) -> str:
    """The names of some squares, from a0 to i9."""
    return " ".join(square_name(square) for square in sorted(found))


def iccs(moves: Iterable[Move]) -> list[str]:
    """Moves as the oracle writes and sorts them."""
    return sorted(move.iccs() for move in moves)


def oracle_position(board: Board) -> Position:
    """The same position on the oracle's board."""
    return read_fen(board.fen())


def data_file(name: str) -> Path:
    """A file of the collections that lie beside the project; without them the test is skipped."""
    path = Path(__file__).parents[3] / "shared" / "data" / name
    if not path.exists():
        pytest.skip(f"the collection {name} is not there")
    return path


# Games


def playout(rng: random.Random, plies: int, fen: str = STARTING_FEN) -> Iterator[Board]:
    """One board, given out before the first and after each of so many random legal moves."""
    board = Board(fen)
    yield board
    for _ in range(plies):
        moves = board.list_moves()
        if not moves:
            return
        board.push(rng.choice(moves))
        yield board


@lru_cache
def played_fens(seed: int, games: int, plies: int = 150) -> tuple[str, ...]:
    """The positions of some random games."""
    rng = random.Random(seed)
    return tuple(board.fen() for _ in range(games) for board in playout(rng, plies))


# Wild positions

_KINGS = squares("d0 e0 f0 d1 e1 f1 d2 e2 f2")
_ADVISORS = squares("d0 f0 e1 d2 f2")
_BISHOPS = squares("c0 g0 a2 e2 i2 c4 g4")
_PAWNS = frozenset(
    square
    for square in SQUARES
    if square_rank(square) >= 5 or (square_rank(square) >= 3 and square_file(square) % 2 == 0)
)
_SET = (
    (ADVISOR, 2, _ADVISORS),
    (BISHOP, 2, _BISHOPS),
    (KNIGHT, 2, frozenset(SQUARES)),
    (ROOK, 2, frozenset(SQUARES)),
    (CANNON, 2, frozenset(SQUARES)),
    (PAWN, 5, _PAWNS),
)


def near(king: Square, square: Square) -> bool:
    """Could a piece on this square have to do with the king's safety?"""
    files = abs(square_file(king) - square_file(square))
    ranks = abs(square_rank(king) - square_rank(square))
    return files == 0 or ranks == 0 or files + ranks <= 3


def wild_setup(rng: random.Random) -> Setup:
    """Any number of pieces where they may stand, most of them around the kings."""
    kings = {color: _place(rng, _KINGS, color) for color in (RED, BLACK)}
    pieces = {king: Piece(KING, color) for color, king in kings.items()}
    crowding = rng.choice((0.0, 0.5, 0.9))
    for color in (RED, BLACK):
        share = rng.choice((0.05, 0.3, 0.6, 1.0))
        for piece_type, most, zone in _SET:
            for _ in range(most):
                if rng.random() > share:
                    continue
                square = _place(rng, zone, color)
                for _ in range(4):
                    king = rng.choice(list(kings.values()))
                    if rng.random() < crowding and not near(king, square):
                        square = _place(rng, zone, color)
                if square not in pieces:
                    pieces[square] = Piece(piece_type, color)
    return Setup.from_piece_map(pieces, turn=rng.random() < 0.5)


@lru_cache
def _in_order(zone: frozenset[Square]) -> list[Square]:
    return sorted(zone)


def _place(rng: random.Random, zone: frozenset[Square], color: Color) -> Square:
    square = rng.choice(_in_order(zone))
    return square if color == RED else square_flip(square)


def wild_boards(rng: random.Random) -> Iterator[Board]:
    """Wild positions without end; where the wrong side is in check the other one is to move."""
    while True:
        setup = wild_setup(rng)
        for turn in (setup.turn, not setup.turn):
            try:
                yield Board(Setup(setup.board, turn))
            except PositionError:
                continue
            break


@lru_cache
def wild_fens(seed: int, count: int) -> tuple[str, ...]:
    """Wild positions, as many as ``count``."""
    return tuple(board.fen() for board in islice(wild_boards(random.Random(seed)), count))


# For hypothesis

choices = st.integers(min_value=0, max_value=127)


@st.composite
def boards(draw: st.DrawFn, max_plies: int = 60) -> Board:
    """A board after a game of any length; it shrinks to shorter games with earlier moves."""
    board = Board()
    for choice in draw(st.lists(choices, max_size=max_plies)):
        moves = board.list_moves()
        if not moves:
            break
        board.push(moves[choice % len(moves)])
    return board


wild = st.integers(0, 2**32 - 1).map(lambda seed: next(wild_boards(random.Random(seed))))
"""A wild position."""
