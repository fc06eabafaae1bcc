"""Moves as two squares, with ranks that count from 0 (UCCI, ICCS) or from 1 (UCI of Fairy).

    h2e2    UCCI
    H2-E2   ICCS
    h3e3    the same move with ranks 1 to 10: pyffish, Pikafish's older tools, pychess

A game has one way of counting; a single move cannot show which. See
:func:`~xiangqi.notation.guess_rank_base`.
"""

from __future__ import annotations

import re
from typing import Final, Literal, TypeAlias

from xiangqi.core.move import Move
from xiangqi.errors import Fact, InvalidMoveError, require_str
from xiangqi.pieces import FILE_NAMES, Square, square, square_file, square_rank

__all__ = [
    "RUNNING",
    "RankBase",
    "format_coordinates",
    "format_iccs",
    "format_square",
    "is_coordinates",
    "parse_coordinates",
]

RankBase: TypeAlias = Literal[0, 1]
"""The number of Red's back rank."""

_COORDINATES: Final = re.compile(
    r"\s*([a-iA-I])(10|[0-9])[-\u2010\u2013\u2212]?([a-iA-I])(10|[0-9])\s*"
)
RUNNING: Final = r"(?ia)[a-i](?:10|[0-9])(?: ?[-\u2010\u2013\u2212] ?)?[a-i](?:10|[0-9])"
"""Pattern of a move within a text."""
_ALGEBRAIC: Final = re.compile(r"\s*([a-i].+[A-I]|[A-I].+[a-i])")  # as in H8d7


def is_coordinates(text: str) -> bool:
    """Has the text the form of two squares, whatever the ranks count from?

    >>> is_coordinates("H10-G8"), is_coordinates("C2.5")
    (True, False)
    """
    return _COORDINATES.fullmatch(text) is not None and _ALGEBRAIC.match(text) is None


def parse_coordinates(text: str, rank_base: RankBase = 0) -> Move:
    """Read two squares; raises InvalidMoveError.

    >>> parse_coordinates("h3e3", rank_base=1)
    Move.from_iccs('h2e2')
    """
    require_str(text, "a move")
    match = _COORDINATES.fullmatch(text)
    if match is not None:
        ranks = int(match[2]) - rank_base, int(match[4]) - rank_base
        squares = [
            square(FILE_NAMES.index(file.lower()), rank)
            for file, rank in zip((match[1], match[3]), ranks, strict=True)
        ]
        if min(ranks) >= 0 and max(ranks) <= 9 and squares[0] != squares[1]:
            return Move(*squares)
    raise InvalidMoveError(text, Fact("move.uci" if rank_base else "move.iccs"))


def format_iccs(move: Move) -> str:
    """The move as ICCS writes it.

    >>> format_iccs(Move.from_iccs("h2e2"))
    'H2-E2'
    """
    text = move.iccs().upper()
    return f"{text[:2]}-{text[2:]}"


def format_coordinates(move: Move, rank_base: RankBase = 0) -> str:
    """The move as two squares, as :func:`parse_coordinates` reads it.

    >>> format_coordinates(Move.from_iccs("h9g7"), rank_base=1)
    'h10g8'
    """
    squares = move.from_square, move.to_square
    return "".join(format_square(square, rank_base) for square in squares)


def format_square(square: Square, rank_base: RankBase = 0) -> str:
    """The name of a square.

    >>> format_square(89), format_square(89, rank_base=1)
    ('i9', 'i10')
    """
    return f"{FILE_NAMES[square_file(square)]}{square_rank(square) + rank_base}"
