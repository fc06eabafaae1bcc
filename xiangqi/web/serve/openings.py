"""Handicap positions, example games, and the opening book of the playing levels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from random import Random
from typing import Any, Final

from xiangqi.board import Board
from xiangqi.core.move import Move
from xiangqi.pieces import BLACK, RED, Color, parse_square
from xiangqi.pieces.fen import STARTING_FEN, Setup, format_fen, parse_fen
from xiangqi.referee.rules import RuleSet
from xiangqi.words.voice import Voice

__all__ = ["EXAMPLES", "HANDICAPS", "OPENINGS", "choose_opening_move", "describe_lines"]

_GIVEN: Final[dict[str, tuple[str, Color]]] = {
    "none": ("", RED),
    "move": ("", BLACK),
    "horse": ("b0", RED),
    "horses": ("b0 h0", RED),
    "cannon": ("b2", RED),
    "chariot": ("a0", RED),
    "chariot_horse": ("a0 b0", RED),
    "nine": ("c0 g0 d0 f0 a3 c3 e3 g3 i3", RED),
}
"""Squares of the removed pieces and side to move, by handicap. Of a pair the left piece is removed;
nine pieces are both advisors, both elephants and all soldiers."""


def _position(squares: str, turn: Color) -> str:
    pieces = parse_fen(STARTING_FEN).piece_map()
    for square in map(parse_square, squares.split()):
        del pieces[square]
    return format_fen(Setup.from_piece_map(pieces, turn))


HANDICAPS: Final = {name: _position(*given) for name, given in _GIVEN.items()}
"""Starting FENs by handicap."""

_EXAMPLES: Final[dict[str, tuple[str, str]]] = {
    "check": ("9/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w", "f0e0 e8f8 e0f0 f8e8 f0e0 e8f8 e0f0 f8e8"),
    "chase": (
        "2bakab2/6c2/2C3c2/p1N1p3p/1R1P5/5r3/P2CP1n1P/4B1p2/4A4/4KAB2 w",
        "b5b8 f9e8 c7c8 e8f9 c8c7 f9e8 c7c8 e8f9 c8c7 f9e8",
    ),
    "draw": (
        "4kab2/4a4/3rb4/9/9/9/8R/1p5p1/4A4/3AK1B2 w",
        "i3h3 h2g2 h3g3 g2h2 g3b3 b2c2 b3c3 c2b2 c3h3 h2g2 h3g3 g2h2 g3b3 b2c2 b3c3 c2b2 c3h3 h2g2",
    ),
}
EXAMPLES: Final = {name: f"{fen}\n{moves}" for name, (fen, moves) in _EXAMPLES.items()}
"""Games with repetitions as text to paste: cases V1, V14a and D77 of the rule book."""

OPENINGS: Final = """\
h2e2 h9g7 h0g2 i9h9 i0h0 b9c7 g3g4 c6c5 b0a2
h2e2 h9g7 h0g2 i9h9 i0h0 b9c7 c3c4 g6g5 b0c2 c9e7
h2e2 h9g7 h0g2 b9c7 i0h0 i9h9 h0h6 b7a7 h6g6 a7a8
h2e2 b9c7 h0g2 h7f7 i0h0 h9g7 g3g4 i9i8
h2e2 b9c7 h0g2 h9i7 i0h0 i9i8 g3g4 i8d8
h2e2 h7e7 h0g2 h9g7 i0h0 i9i8 h0h4 i8d8 b0c2
h2e2 h7e7 h0g2 h9g7 i0h0 i9i8 h0h6 i8d8
h2e2 b7e7 h0g2 b9c7 i0h0 a9b9 b0c2 h9i7
c3c4 b7c7 h2e2 c9e7 h0g2 b9a7
c3c4 g6g5 b0c2 h9g7 h0i2 g9e7 g0e2
c3c4 h7e7 b0c2 h9g7 a0b0 i9h9 h0i2
g3g4 c6c5 h0g2 b9c7 c0e2 c9e7
g0e2 h7d7 h0i2 h9g7 i0h0 i9h9 c3c4
g0e2 b7e7 h0g2 b9c7 i0h0 a9b9 b0c2
g0e2 h9g7 g3g4 i9h9 h0g2 b9a7
c0e2 g6g5 b0c2 h9g7 c3c4 h7h3
h0g2 g6g5 c3c4 h9g7 c0e2 c9e7 b0c2
b0c2 c6c5 g3g4 b9c7 g0e2 g9e7
h2d2 h9g7 h0g2 i9i8 g0e2 i8d8 d0e1
h2f2 h9g7 h0g2 i9h9 i0h0 b9c7 c3c4 g6g5
h2f2 b7e7 h0g2 b9c7 i0i1 a9b9 i1d1
""".splitlines()
"""Book lines from the starting position; their mirror images are in the book, too."""
_MIRROR: Final = str.maketrans("abcdefghi", "ihgfedcba")
_LINES: Final = [
    line.split() for line in (*OPENINGS, *(one.translate(_MIRROR) for one in OPENINGS))
]
"""Moves of all lines of the book, mirror images included."""
_BASE_PLIES: Final = 2
"""Book depth in plies, to which the level is added."""


def choose_opening_move(board: Board, rules: RuleSet, level: int, random: Random) -> Move | None:
    """Choose a book move at random; None beyond the book, or beyond the level's book depth.

    A move's probability is its share of the book lines through the position.
    """
    if board.ply() >= _BASE_PLIES + level:
        return None
    known = _moves_by_position().get(_key(board), Counter())
    moves = [move for move in board.allowed_moves(rules) if move.iccs() in known]
    if not moves:
        return None
    return random.choices(moves, [known[move.iccs()] for move in moves])[0]


def describe_lines(_data: Mapping[str, Any], _rules: RuleSet, voice: Voice) -> dict[str, Any]:
    """List the openings of the book: ``code``, ``name``, and the ``moves`` of each line."""
    from xiangqi.books.names import Opening, name_opening

    found: dict[Opening | None, list[list[str]]] = {}
    for line in _LINES:
        found.setdefault(name_opening(map(Move.from_iccs, line)), []).append(line)
    return {
        "lines": [
            {"code": opening.code, "name": opening.name(voice.language), "moves": moves}
            for opening, moves in found.items()
            if opening is not None
        ]
    }


@lru_cache(maxsize=1)
def _moves_by_position() -> dict[str, Counter[str]]:
    """Count the book lines with each move, by position."""
    found: dict[str, Counter[str]] = {}
    for line in _LINES:
        board = Board()
        for move in line:
            found.setdefault(_key(board), Counter())[move] += 1
            board.push_iccs(move)
    return found


def _key(board: Board) -> str:
    return " ".join(board.fen().split()[:2])
