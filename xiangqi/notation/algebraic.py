"""Moves by files a to i and ranks: coordinates, and short algebraic notation.

Coordinates are two squares, with ranks that count from 0 (UCCI, ICCS), from 1 (UCI of Fairy), or
from 0 at Black's side:

    h2e2    UCCI
    H2-E2   ICCS
    h3e3    the same move with ranks 1 to 10: pyffish, Pikafish's older tools, pychess
    h7e7    the same move with ranks from 0 at Black's side

All moves of a game have the same rank base, which a single move may not reveal: see
:func:`~xiangqi.notation.guess_rank_base`.

Short algebraic notation is the piece's letter and the target square: Che3, as in pychess and
XBoard. Pieces are K A E H R C P (B and N are accepted, too, and a soldier without its letter); a
file, a rank or both distinguish pieces that could move to the same square; ``x`` is a capture,
``+`` a check and ``#`` mate. Long notation always has both, and ``-`` for a move without capture:
Ch3-e3, as in Fairy-Stockfish. Ranks count from 1 to 10, in game files of XBoard from 0 to 9.
"""

from __future__ import annotations

import re
from typing import Final, Literal, TypeAlias

from xiangqi.core.board import CoreBoard
from xiangqi.core.move import Move
from xiangqi.ground.errors import (
    AmbiguousMoveError,
    Fact,
    IllegalMoveError,
    InvalidMoveError,
    MissingPieceError,
    require_str,
)
from xiangqi.pieces import FILE_NAMES, Piece, Square, square, square_file, square_name, square_rank

__all__ = [
    "COORDINATES_RUNNING",
    "SAN_RUNNING",
    "RankBase",
    "format_coordinates",
    "format_iccs",
    "format_san",
    "format_square",
    "is_coordinates",
    "is_san",
    "parse_coordinates",
    "parse_san",
]

RankBase: TypeAlias = Literal[0, 1, 9]
"""The number of Red's back rank; with 9 ranks count down to 0, Black's back rank."""
_FROM_BLACK: Final = 9

_COORDINATES: Final = re.compile(
    r"\s*([a-iA-I])(10|[0-9])[-\u2010\u2013\u2212]?([a-iA-I])(10|[0-9])\s*"
)
COORDINATES_RUNNING: Final = (
    r"(?ia)[a-i](?:10|[0-9])(?: ?[-\u2010\u2013\u2212] ?)?[a-i](?:10|[0-9])"
)
"""Pattern of a move within a text."""
_ALGEBRAIC: Final = re.compile(r"\s*([a-i].+[A-I]|[A-I].+[a-i])")  # mixed case, as in H8d7


def is_coordinates(text: str) -> bool:
    """Has the text the form of two squares, with either rank base?

    >>> is_coordinates("H10-G8"), is_coordinates("C2.5")
    (True, False)
    """
    return _COORDINATES.fullmatch(text) is not None and _ALGEBRAIC.match(text) is None


def parse_coordinates(text: str, rank_base: RankBase = 0) -> Move:
    """Parse two squares. Raises InvalidMoveError.

    >>> parse_coordinates("h3e3", rank_base=1)
    Move.from_iccs('h2e2')
    """
    require_str(text, "a move")
    match = _COORDINATES.fullmatch(text)
    if match is not None:
        ranks = _rank(int(match[2]), rank_base), _rank(int(match[4]), rank_base)
        squares = [
            square(FILE_NAMES.index(file.lower()), rank)
            for file, rank in zip((match[1], match[3]), ranks, strict=True)
        ]
        if min(ranks) >= 0 and max(ranks) <= 9 and squares[0] != squares[1]:
            return Move(*squares)
    raise InvalidMoveError(text, Fact("move.uci" if rank_base == 1 else "move.iccs"))


def format_iccs(move: Move) -> str:
    """Format a move as in ICCS.

    >>> format_iccs(Move.from_iccs("h2e2"))
    'H2-E2'
    """
    text = move.iccs().upper()
    return f"{text[:2]}-{text[2:]}"


def format_coordinates(move: Move, rank_base: RankBase = 0) -> str:
    """Format a move as two squares, the inverse of :func:`parse_coordinates`.

    >>> format_coordinates(Move.from_iccs("h9g7"), rank_base=1)
    'h10g8'
    """
    squares = move.from_square, move.to_square
    return "".join(format_square(square, rank_base) for square in squares)


def format_square(square: Square, rank_base: RankBase = 0) -> str:
    """Name a square.

    >>> format_square(89), format_square(89, rank_base=1)
    ('i9', 'i10')
    """
    return f"{FILE_NAMES[square_file(square)]}{_number(square, rank_base)}"


def _number(square: Square, rank_base: RankBase) -> int:
    """Number of a square's rank."""
    rank = square_rank(square)
    return rank_base - rank if rank_base == _FROM_BLACK else rank + rank_base


def _rank(number: int, rank_base: RankBase) -> int:
    """Rank with a number, from 0 at Red's side; maybe off the board."""
    return rank_base - number if rank_base == _FROM_BLACK else number - rank_base


_LETTERS: Final = "KAEHRCP"
_KINDS: Final = {
    **{letter: kind for kind, letter in enumerate(_LETTERS, start=1)},
    "": _LETTERS.index("P") + 1,
    "B": _LETTERS.index("E") + 1,
    "N": _LETTERS.index("H") + 1,
}
_FORM: Final = re.compile(
    r"(?P<piece>[KAEBHNRCP]?)(?P<file>[a-i])??(?P<rank>10|[0-9])??[x-]?"
    r"(?P<to_file>[a-i])(?P<to_rank>10|[0-9])[+#!?]*",
    re.ASCII,
)
SAN_RUNNING: Final = rf"(?a){_FORM.pattern}(?!-?[a-z0-9])"
"""Pattern of a move within a text; the letter of the next piece may follow at once."""


def is_san(text: str) -> bool:
    """Has the text the form of short algebraic notation?

    >>> is_san("Che3"), is_san("Rxa10+"), is_san("C2.5")
    (True, True, False)
    """
    return _FORM.fullmatch(text.strip()) is not None


def parse_san(board: CoreBoard, text: str, rank_base: RankBase = 1) -> Move:
    """Parse a move in short algebraic notation.

    Raises InvalidMoveError, IllegalMoveError or AmbiguousMoveError.

    >>> parse_san(CoreBoard(), "Che3")
    Move.from_iccs('h2e2')
    """
    require_str(text, "a move")
    match = _FORM.fullmatch(text.strip())
    rank = _rank(int(match["to_rank"]), rank_base) if match is not None else -1
    if match is None or not 0 <= rank <= 9:
        raise InvalidMoveError(text, Fact("move.san"))
    kind, target = _KINDS[match["piece"]], square(FILE_NAMES.index(match["to_file"]), rank)

    def is_meant(origin: Square) -> bool:
        return match["file"] in (None, FILE_NAMES[square_file(origin)]) and match["rank"] in (
            None,
            str(_number(origin, rank_base)),
        )

    found = [move for move in _rivals(board, kind, target) if is_meant(move.from_square)]
    if len(found) > 1:
        raise AmbiguousMoveError(text, board.fen(), [move.iccs() for move in found])
    if not found:
        piece = Piece(kind, board.turn)
        own = [place for place, one in board.setup().piece_map().items() if one == piece]
        error = IllegalMoveError if any(map(is_meant, own)) else MissingPieceError
        why = Fact("illegal.no_target", piece=piece, square=square_name(target))
        raise error(text, board.fen(), why)
    return found[0]


def format_san(board: CoreBoard, move: Move, rank_base: RankBase = 1) -> str:
    """Format a legal move in short algebraic notation. Raises IllegalMoveError.

    >>> format_san(CoreBoard(), Move.from_iccs("h2e2"))
    'Che3'
    """
    suffix = ""
    if board.gives_check(move):
        after = board.copy(stack=False)
        after.push_unchecked(move)
        suffix = "+" if after.has_legal_move() else "#"
    origin, target = move.from_square, move.to_square
    kind = board.piece_code_at(origin) & 7
    rivals = [other.from_square for other in _rivals(board, kind, target) if other != move]
    file = FILE_NAMES[square_file(origin)]
    rank = str(_number(origin, rank_base))
    if not rivals:
        which = ""
    elif all(square_file(other) != square_file(origin) for other in rivals):
        which = file
    elif all(square_rank(other) != square_rank(origin) for other in rivals):
        which = rank
    else:
        which = file + rank
    capture = "x" if board.is_capture(move) else ""
    to = format_square(target, rank_base)
    return f"{_LETTERS[kind - 1]}{which}{capture}{to}{suffix}"


def _rivals(board: CoreBoard, kind: int, target: int) -> list[Move]:
    """Legal moves of pieces of a kind to a square."""
    return [
        move
        for move in board.list_moves()
        if move.to_square == target and board.piece_code_at(move.from_square) & 7 == kind
    ]
