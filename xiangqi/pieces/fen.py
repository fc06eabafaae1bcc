"""FEN: positions as one line of text.

    rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1

The fields are the piece placement from Black's back rank to Red's, the side to move, two fields
unused in xiangqi (always ``-``), the plies since the last capture, and the move number. There are
two conventions: the letters B and N of xqbase, "Chinese chess computer protocols III: FEN"
(https://www.xqbase.com/protocol/cchess_fen.htm), and the letters E and H of the World Xiangqi
Federation. Both are read; B and N are written, because every program reads them.

A :class:`Setup` holds the content of a FEN, which may be an impossible position: two kings of one
side, or none. :func:`setup_status` finds all its problems. The same split is that of ``Setup`` and
``Position`` in shakmaty, and of ``Board.status()`` in python-chess. This module knows the squares
that pieces can reach, not their moves.

>>> setup = parse_fen("3k5/9/9/9/9/9/9/9/9/3K1A3 r")
>>> format_fen(setup)
'3k5/9/9/9/9/9/9/9/9/3K1A3 w - - 0 1'
>>> describe_status(setup, setup_status(setup))
['the generals on d0 and d9 face each other on an open file']
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import IntFlag, auto
from itertools import product
from typing import Final, NamedTuple

from xiangqi.ground.errors import Fact, FenError, quote, require_str
from xiangqi.pieces import (
    ADVISOR,
    BISHOP,
    BLACK,
    CANNON,
    COLORS,
    KING,
    KNIGHT,
    PAWN,
    PIECE_TYPES,
    RED,
    ROOK,
    SQUARES,
    Color,
    Piece,
    PieceType,
    Square,
    parse_square,
    require_color,
    require_square,
    square_file,
    square_flip,
    square_name,
    square_rank,
)

__all__ = [
    "MAX_COUNTER",
    "STARTING_FEN",
    "Setup",
    "Status",
    "begins_fen",
    "describe_status",
    "format_fen",
    "parse_fen",
    "setup_status",
    "unwrap_fen",
]

STARTING_FEN: Final = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"

MAX_COUNTER: Final = 99_999
"""Maximum of the halfmove clock and of the fullmove number."""

_FILES: Final = 9
_RANKS: Final = 10
_PIECE_CODES: Final = bytes(Piece(kind, color).code for color in COLORS for kind in PIECE_TYPES)
_EMPTY: Final = 0

# Data


@dataclass(frozen=True, slots=True)
class Setup:
    """Content of a FEN, which may be an impossible position.

    Any piece may be on any square. Types and ranges are validated, so that :func:`parse_fen` reads
    every formatted setup back as an equal one.

    >>> Setup.from_piece_map({4: Piece(KING, RED)}, turn=BLACK).piece_at(4)
    Piece.from_symbol('K')
    """

    board: bytes
    """A :attr:`~xiangqi.pieces.Piece.code` for each of the 90 squares, 0 for an empty one."""

    turn: Color = RED
    """The side to move."""

    halfmove_clock: int = 0
    """Plies since the last capture."""

    fullmove_number: int = 1
    """Move number, which starts at 1 and is incremented after each move of Black."""

    def __post_init__(self) -> None:
        if not isinstance(self.board, bytes):
            raise TypeError(f"the board must be bytes, not {type(self.board).__name__}")
        if len(self.board) != len(SQUARES):
            raise ValueError(f"the board has {len(self.board)} squares, expected {len(SQUARES)}")
        unknown = self.board.translate(None, delete=_PIECE_CODES + bytes([_EMPTY]))
        if unknown:
            raise ValueError(f"the board holds {unknown[0]}, which is not the code of a piece")
        if require_color(self.turn) is not self.turn:
            raise TypeError(f"the turn must be RED or BLACK, not {quote(self.turn)}")
        _check_counter("halfmove clock", self.halfmove_clock, 0)
        _check_counter("fullmove number", self.fullmove_number, 1)

    @classmethod
    def from_piece_map(
        cls,
        pieces: Mapping[Square, Piece],
        turn: Color = RED,
        halfmove_clock: int = 0,
        fullmove_number: int = 1,
    ) -> Setup:
        """Make a setup from pieces on squares, the inverse of :meth:`piece_map`."""
        board = bytearray(len(SQUARES))
        for square, piece in pieces.items():
            board[require_square(square)] = piece.code
        return cls(bytes(board), turn, halfmove_clock, fullmove_number)

    def piece_at(self, square: Square) -> Piece | None:
        """Piece on a square, or None.

        >>> setup = parse_fen(STARTING_FEN)
        >>> setup.piece_at(parse_square("h9")), setup.piece_at(parse_square("e4"))
        (Piece.from_symbol('n'), None)
        """
        code = self.board[require_square(square)]
        return Piece.from_code(code) if code else None

    def piece_map(self) -> dict[Square, Piece]:
        """All pieces by square, from a0 to i9.

        >>> parse_fen("4k4/9/9/9/9/9/9/9/9/4K4").piece_map()
        {4: Piece.from_symbol('K'), 85: Piece.from_symbol('k')}
        """
        return {sq: Piece.from_code(code) for sq, code in enumerate(self.board) if code}


def _check_counter(name: str, value: int, least: int) -> None:
    if not isinstance(value, int):
        raise TypeError(f"{name} must be an int, not {type(value).__name__}")
    if not least <= value <= MAX_COUNTER:
        raise ValueError(f"{name} is {quote(value)}, expected {least} to {MAX_COUNTER}")


# Reading and writing

_TURNS: Final = {"w": RED, "r": RED, "red": RED, "white": RED, "b": BLACK, "black": BLACK}
_COUNTERS: Final = ("0", "1")  # if missing
_QUOTATION_MARKS: Final = ('""', "''", "``", "“”", "‘’", "「」", "『』", "«»")
_AROUND: Final = "\ufeff \t\r\n\v\f\u3000"
_BEGINNING: Final = re.compile(
    r"[0-9a-z]+(?:/[0-9a-z]+){8,}(?:\[\])?(?:[\s_;]|\W?$)", re.IGNORECASE | re.ASCII
)
_EMPTY_RUNS: Final = "123456789"
_CODE_OF_SYMBOL: Final = {symbol: Piece.from_symbol(symbol).code for symbol in "KABENHRCPkabenhrcp"}


def parse_fen(text: str) -> Setup:
    """Parse a FEN.

    Accepts the letters of both conventions, ``45`` for ``9`` in a rank, a fullmove number of 0,
    which becomes 1, and what programs, sites and people make of a FEN: missing fields at the end
    and missing unused ones (``w 0 1`` of XBoard and Fairy-Stockfish), ``r``, ``red`` and ``black``
    for the side to move, an empty hand ``[]`` after the placement, ``_`` for blanks as in
    addresses, additional white space, a byte order mark, and quotation marks around it.

    >>> setup = parse_fen("rheakaehr/9/1c5c1/p1p1p1p1p/45/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR  r")
    >>> setup == parse_fen(STARTING_FEN)
    True
    >>> format_fen(parse_fen('"3k5/9/9/9/9/9/9/9/9/4K4[] black 7 30"'))
    '3k5/9/9/9/9/9/9/9/9/4K4 b - - 7 30'

    Raises FenError if the text cannot be parsed. An impossible position raises nothing here; see
    :func:`setup_status`.

    >>> parse_fen("4k4/9/9/9/9/9/9/9/9/4K4 x")  # doctest: +NORMALIZE_WHITESPACE
    Traceback (most recent call last):
    xiangqi.ground.errors.FenError: invalid FEN '4k4/9/9/9/9/9/9/9/9/4K4 x': side to move:
        found 'x', expected 'w' or 'b'
    """
    require_str(text, "a FEN")
    words = unwrap_fen(text).split()
    if len(words) == 1:  # as in an address; elsewhere "1_0" is not a number
        words = words[0].replace("_", " ").split()
    placement, *fields = words or [""]
    if not placement:
        raise FenError(text, Fact("fen.placement"), Fact("fen.empty"))
    placement = placement.removesuffix("[]")
    rows = placement.split("/")
    if len(rows) != _RANKS:
        why = Fact("fen.ranks", found=placement, count=len(rows), ranks=_RANKS)
        raise FenError(text, Fact("fen.placement"), why)
    board = b"".join(_parse_row(text, row, rank) for rank, row in enumerate(reversed(rows)))
    turn = fields.pop(0) if fields else "w"
    color = _TURNS.get(turn.lower())
    if color is None:
        raise FenError(text, Fact("fen.side_to_move"), Fact("fen.side", found=turn))
    for field in ("fen.third_field", "fen.fourth_field"):
        unused = fields.pop(0) if fields and not fields[0][0].isdigit() else "-"
        if unused != "-":
            raise FenError(text, Fact(field), Fact("fen.unused", found=unused))
    clock, number, *trailing = (*fields, *_COUNTERS[len(fields) :])
    halfmove_clock = _parse_counter(text, "fen.halfmove_clock", clock)
    fullmove_number = _parse_counter(text, "fen.fullmove_number", number)
    if trailing:
        more = Fact("fen.more", found=" ".join(trailing))
        raise FenError(text, Fact("fen.trailing_text"), more)
    return Setup(board, color, halfmove_clock, max(fullmove_number, 1))


def begins_fen(text: str) -> bool:
    """Does a text begin like a FEN, with nine ranks or more? One too few is an error of a FEN."""
    return _BEGINNING.match(unwrap_fen(text).lstrip("".join(_QUOTATION_MARKS))) is not None


def unwrap_fen(text: str) -> str:
    """Take blanks, a byte order mark and quotation marks off both ends of a FEN."""
    inner = text.strip(_AROUND)
    for opening, closing in _QUOTATION_MARKS:
        if len(inner) > 1 and inner[0] == opening and inner[-1] == closing:
            return inner[1:-1]
    return inner


def _parse_row(text: str, row: str, rank: int) -> bytes:
    if len(row) > _FILES:
        why = Fact("fen.long_rank", row=row, count=len(row), files=_FILES)
        raise FenError(text, Fact("fen.rank", rank=rank), why)
    codes = bytearray()
    for char in row:
        if char in _EMPTY_RUNS:
            codes += bytes(int(char))
        elif char in _CODE_OF_SYMBOL:
            codes.append(_CODE_OF_SYMBOL[char])
        else:
            why = Fact("fen.letter", found=char, row=row)
            raise FenError(text, Fact("fen.rank", rank=rank), why)
    if len(codes) != _FILES:
        why = Fact("fen.files", row=row, count=len(codes), files=_FILES)
        raise FenError(text, Fact("fen.rank", rank=rank), why)
    return bytes(codes)


def _parse_counter(text: str, field: str, part: str) -> int:
    # int() accepts signs, underscores and non-ASCII digits.
    digits = part.lstrip("0") or "0"
    if part.isascii() and part.isdigit() and len(digits) <= len(str(MAX_COUNTER)):
        return int(digits)
    raise FenError(text, Fact(field), Fact("fen.counter", found=part, most=MAX_COUNTER))


def format_fen(setup: Setup) -> str:
    """Format a setup as a normalised FEN, the inverse of :func:`parse_fen`.

    >>> format_fen(parse_fen("4k4/9/9/9/9/9/9/9/9/3AKE3"))
    '4k4/9/9/9/9/9/9/9/9/3AKB3 w - - 0 1'
    """
    letters = setup.board.translate(_LETTERS).decode("ascii")
    placement = "/".join(letters[start : start + _FILES] for start in _RANK_STARTS)
    for length in range(_FILES, 1, -1):
        placement = placement.replace("1" * length, str(length))
    turn = "w" if setup.turn == RED else "b"
    return f"{placement} {turn} - - {setup.halfmove_clock} {setup.fullmove_number}"


_RANK_STARTS: Final = range(len(SQUARES) - _FILES, -1, -_FILES)
_LETTERS: Final = bytes(
    ord(Piece.from_code(code).symbol()) if code in _PIECE_CODES else ord("1") for code in range(256)
)
"""FEN letter of each piece code; ``1`` for an empty square, merged into runs afterwards."""


# Validation


class Status(IntFlag):
    """Problems of a setup, as flags; VALID if there are none.

    The flags cover the number of pieces, the squares that each can reach, and the two ways in which
    a king could be captured at once, not whether a game can lead to the position. OPPOSITE_CHECK
    depends on attacks, so :func:`setup_status` never sets it; only :meth:`Board.status` does.
    """

    VALID = 0
    NO_RED_KING = auto()
    NO_BLACK_KING = auto()
    TOO_MANY_KINGS = auto()
    TOO_MANY_ADVISORS = auto()
    TOO_MANY_BISHOPS = auto()
    TOO_MANY_KNIGHTS = auto()
    TOO_MANY_ROOKS = auto()
    TOO_MANY_CANNONS = auto()
    TOO_MANY_PAWNS = auto()
    MISPLACED_KING = auto()
    """A king outside its palace."""
    MISPLACED_ADVISOR = auto()
    """An advisor off the five points of its palace that advisors reach."""
    MISPLACED_BISHOP = auto()
    """A bishop off the seven points of its half that bishops reach."""
    MISPLACED_PAWN = auto()
    """A pawn behind its starting rank, or off its starting file before the river."""
    KINGS_FACING = auto()
    """The two kings are on one file with no piece between them."""
    OPPOSITE_CHECK = auto()
    """The side that is not to move is in check."""


_NO_KING: Final = {RED: Status.NO_RED_KING, BLACK: Status.NO_BLACK_KING}

_MAX_COUNTS: Final[dict[PieceType, tuple[int, Status]]] = {
    KING: (1, Status.TOO_MANY_KINGS),
    ADVISOR: (2, Status.TOO_MANY_ADVISORS),
    BISHOP: (2, Status.TOO_MANY_BISHOPS),
    KNIGHT: (2, Status.TOO_MANY_KNIGHTS),
    ROOK: (2, Status.TOO_MANY_ROOKS),
    CANNON: (2, Status.TOO_MANY_CANNONS),
    PAWN: (5, Status.TOO_MANY_PAWNS),
}


class _Zone(NamedTuple):
    """Squares open to red pieces of a type, with the problem of a piece elsewhere."""

    piece_type: PieceType
    squares: frozenset[Square]
    status: Status
    fault: str


def _squares(names: str) -> frozenset[Square]:
    return frozenset(parse_square(name) for name in names.split())


_ALL: Final = frozenset(SQUARES)
_BEHIND_PAWNS: Final = frozenset(sq for sq in SQUARES if square_rank(sq) < 3)
_BESIDE_PAWNS: Final = _squares("b3 d3 f3 h3 b4 d4 f4 h4")

_ZONES: Final = (
    _Zone(
        KING,
        _squares("d0 e0 f0 d1 e1 f1 d2 e2 f2"),
        Status.MISPLACED_KING,
        "position.outside_palace",
    ),
    _Zone(ADVISOR, _squares("d0 f0 e1 d2 f2"), Status.MISPLACED_ADVISOR, "position.advisor_point"),
    _Zone(
        BISHOP, _squares("c0 g0 a2 e2 i2 c4 g4"), Status.MISPLACED_BISHOP, "position.elephant_point"
    ),
    _Zone(PAWN, _ALL - _BEHIND_PAWNS, Status.MISPLACED_PAWN, "position.behind_start"),
    _Zone(PAWN, _ALL - _BESIDE_PAWNS, Status.MISPLACED_PAWN, "position.sideways"),
)


_PIECES: Final = tuple(Piece(kind, color) for color in COLORS for kind in PIECE_TYPES)


def setup_status(setup: Setup) -> Status:
    """Find all problems of a setup except OPPOSITE_CHECK.

    >>> setup_status(parse_fen(STARTING_FEN)) == Status.VALID
    True
    >>> setup = parse_fen("4k4/9/9/9/9/9/9/9/9/9")
    >>> setup_status(setup) == Status.NO_RED_KING
    True
    """
    status = Status.VALID
    for flag, _ in _find_problems(setup):
        status |= flag
    return status


def describe_status(setup: Setup, status: Status) -> list[Fact]:
    """Describe the problems of a setup whose flags are set in ``status``.

    >>> setup = parse_fen("4k4/9/9/9/9/1A7/9/9/9/3AKA3 w - - 0 1")
    >>> for problem in describe_status(setup, setup_status(setup)):
    ...     print(problem)
    red has 3 advisors (d0, f0, b4), expected at most 2
    red advisor on b4 stands outside the palace's five advisor points
    the generals on e0 and e9 face each other on an open file
    """
    problems = [fact for flag, fact in _find_problems(setup) if flag in status]
    if Status.OPPOSITE_CHECK in status:
        king = Piece(KING, not setup.turn)
        where = tuple(map(square_name, _squares_by_piece(setup)[king]))
        problems.append(
            Fact("position.opposite_check", side=bool(setup.turn), piece=king, where=where)
        )
    return problems


def _find_problems(setup: Setup) -> Iterator[tuple[Status, Fact]]:
    """Yield the flag and the description of each problem, in the order of the flags."""
    squares = _squares_by_piece(setup)
    for color in COLORS:
        king = Piece(KING, color)
        if not squares[king]:
            yield _NO_KING[color], Fact("position.no_king", side=color, piece=king)
    for piece, where in squares.items():
        most, status = _MAX_COUNTS[piece.piece_type]
        if len(where) > most:
            names = tuple(map(square_name, where))
            yield (
                status,
                Fact(
                    "position.too_many",
                    side=piece.color,
                    count=len(where),
                    piece=piece,
                    where=names,
                    most=most,
                ),
            )
    for piece, where in squares.items():
        zones = (zone for zone in _ZONES if zone.piece_type == piece.piece_type)
        for zone, square in product(zones, where):
            if (square if piece.color == RED else square_flip(square)) not in zone.squares:
                yield zone.status, Fact(zone.fault, piece=piece, where=square_name(square))
    for red, black in product(squares[Piece(KING, RED)], squares[Piece(KING, BLACK)]):
        low, high = sorted((red, black))
        is_blocked = any(setup.board[low + _FILES : high : _FILES])
        if square_file(red) == square_file(black) and not is_blocked:
            kings = {"red": square_name(red), "black": square_name(black)}
            yield Status.KINGS_FACING, Fact("position.kings_facing", **kings)


def _squares_by_piece(setup: Setup) -> dict[Piece, list[Square]]:
    squares: dict[Piece, list[Square]] = {piece: [] for piece in _PIECES}
    for square, piece in setup.piece_map().items():
        squares[piece].append(square)
    return squares
