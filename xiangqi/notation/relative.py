"""Common part of Chinese and WXF notation: the piece, its direction, its distance.

Both count files from 1 at the mover's right hand and name a piece by its kind and its file, or by
its place among pieces of its kind on one file. *Front* is nearer to the enemy's back rank. The
third part is the direction, the fourth a number: of ranks if a general, chariot, cannon or soldier
moves straight ahead or back, otherwise the target file.

A text is parsed into a :class:`Wording`, which is cached and resolved to a move in a position. If
it fits two pieces, it means the one that can make the move; if both can, it is ambiguous.
"""

from __future__ import annotations

from enum import Enum, auto
from typing import Final, NamedTuple

from xiangqi.core.board import CoreBoard
from xiangqi.core.move import Move
from xiangqi.ground.errors import AmbiguousMoveError, Fact, IllegalMoveError, MissingPieceError
from xiangqi.pieces import (
    ADVISOR,
    BISHOP,
    CANNON,
    KING,
    KNIGHT,
    PAWN,
    ROOK,
    Color,
    Piece,
    PieceType,
    Square,
)

__all__ = [
    "BACKWARD",
    "FORWARD",
    "SIDEWAYS",
    "By",
    "Step",
    "Tandem",
    "Which",
    "Wording",
    "describe",
    "find_move",
    "find_tandems",
    "locate_on_file",
]

FORWARD: Final = 1
SIDEWAYS: Final = 0
BACKWARD: Final = -1

_STRAIGHT: Final = frozenset((KING, ROOK, CANNON, PAWN))
_RANKS: Final[dict[PieceType, dict[int, int]]] = {
    ADVISOR: {1: 1},
    BISHOP: {2: 2},
    KNIGHT: {1: 2, 2: 1},
}
"""Number of ranks that a piece moves, by the number of files."""


class By(Enum):
    """Ways in which a text identifies a piece."""

    FILE = auto()
    """By its file; of three or five soldiers there, the middle one."""
    ANY_ON_FILE = auto()
    """By its file; of several there, any."""
    FRONT = auto()
    """The first of two or more on a file."""
    REAR = auto()
    """The last of two or more on a file."""
    MIDDLE = auto()
    """The middle one of three or five on a file."""
    PLUS = auto()
    """The first of two or three on a file, the second of four or five."""
    MINUS = auto()
    """The last of two or three on a file, the second last of four or five."""
    MIDDLE_BESIDE_TANDEM = auto()
    """The middle one of three on a file if another file has two."""
    PLACE_ON_FILE = auto()
    """By its place on the file, from the front."""
    PLACE = auto()
    """By its place among all that share a file with another: files from the mover's right to left,
    on each of them from front to rear."""


class Which(NamedTuple):
    """Identification of a piece in a text."""

    by: By
    file: int = 0
    """File in the text, from 1; 0 for any."""
    place: int = 0
    """Place in the text, from 1."""


class Wording(NamedTuple):
    """Parsed text of a move, not yet resolved in a position."""

    kind: PieceType
    direction: int
    number: int
    choices: tuple[tuple[Which, ...], ...]
    """Groups of pieces that the text may mean: a later group is tried only if no move of the
    earlier ones is legal."""


class Tandem(NamedTuple):
    """Two or more pieces of one kind and side on a file."""

    file: int
    """File, from 1 at the owner's right hand."""
    squares: tuple[Square, ...]
    """Squares from front to rear."""


class Step(NamedTuple):
    """Direction and distance of a move, as the mover counts."""

    direction: int
    number: int


# From text to move


def find_move(board: CoreBoard, text: str, wording: Wording) -> Move:
    """Resolve a wording to a legal move.

    Raises IllegalMoveError if there is none, MissingPieceError if there is no such piece, and
    AmbiguousMoveError if there are several moves.
    """
    color = board.turn
    cells = board.cells()
    code = wording.kind | color << 3
    refused: list[Move] = []
    for choices in wording.choices:
        found: list[Move] = []
        for which in choices:
            for origin in _origins(cells, code, color, which):
                target = _target(origin, color, wording)
                if target < 0 or target == origin:
                    continue
                move = Move(origin, target)
                if not board.is_legal(move):
                    refused.append(move)
                elif move not in found:
                    found.append(move)
        if len(found) == 1:
            return found[0]
        if found:
            raise AmbiguousMoveError(text, board.fen(), [move.iccs() for move in found])
    raise _refuse(board, cells, text, wording, refused)


def _refuse(
    board: CoreBoard, cells: bytes, text: str, wording: Wording, refused: list[Move]
) -> IllegalMoveError:
    """Error for a wording without a legal move."""
    fen = board.fen()
    if refused:
        why = board.why_illegal(refused[0])
        assert why is not None  # the move is not legal
        return IllegalMoveError(text, fen, why)
    color = board.turn
    code = wording.kind | color << 3
    piece = Piece(wording.kind, color)
    whiches = [which for choices in wording.choices for which in choices]
    if any(True for which in whiches for _ in _origins(cells, code, color, which)):
        return IllegalMoveError(text, fen, Fact("illegal.direction", piece=piece))
    files = sorted({which.file for which in whiches if which.by is By.FILE})
    if files:
        why = Fact("illegal.not_on_file", piece=piece, file=files[0])
    else:
        why = Fact("illegal.not_so_many", piece=piece)
    return MissingPieceError(text, fen, why)


def _origins(cells: bytes, code: int, color: Color, which: Which) -> tuple[Square, ...]:
    """Squares of the identified pieces."""
    by, file, place = which
    if by is By.FILE:
        index = 9 - file if color else file - 1
        column = cells[index::9]
        rank = column.find(code)
        if rank < 0:
            return ()
        if column.rfind(code) == rank:
            return (rank * 9 + index,)
        squares = _on_file(cells, code, color, file)
        middle = len(squares) // 2
        return (squares[middle],) if len(squares) % 2 else squares
    if by is By.ANY_ON_FILE:
        return _on_file(cells, code, color, file)
    if by is By.PLACE_ON_FILE:
        return _on_file(cells, code, color, file)[place - 1 : place]
    tandems = find_tandems(cells, code, color)
    if by is By.PLACE:
        row = [square for tandem in tandems for square in tandem.squares]
        return tuple(row[place - 1 : place])
    if by is By.MIDDLE_BESIDE_TANDEM and len(tandems) < 2:
        return ()
    return tuple(
        square
        for tandem in tandems
        if file in (0, tandem.file)
        for square in _in_tandem(tandem.squares, by)
    )


def _in_tandem(squares: tuple[Square, ...], by: By) -> tuple[Square, ...]:
    """Square of the identified piece in a tandem, if any."""
    size = len(squares)
    if by is By.FRONT:
        return squares[:1]
    if by is By.REAR:
        return squares[-1:]
    if by is By.PLUS:
        return squares[:1] if size < 4 else squares[1:2]
    if by is By.MINUS:
        return squares[-1:] if size < 4 else squares[-2:-1]
    return squares[size // 2 : size // 2 + 1] if size % 2 else ()


def _on_file(cells: bytes, code: int, color: Color, file: int) -> tuple[Square, ...]:
    """Squares of the pieces with a code on a file, from front to rear."""
    index = 9 - file if color else file - 1
    column = cells[index::9]
    ranks = [rank for rank in range(10) if column[rank] == code]
    if color:
        ranks.reverse()
    return tuple(rank * 9 + index for rank in ranks)


def _target(origin: Square, color: Color, wording: Wording) -> Square:
    """Target square of the piece on a square; -1 if such a piece cannot move like this."""
    kind, direction, number, _ = wording
    ahead = direction if color else -direction
    rank, file = divmod(origin, 9)
    if kind in _STRAIGHT and direction != SIDEWAYS:
        rank += ahead * number
        return rank * 9 + file if 0 <= rank <= 9 else -1
    target_file = 9 - number if color else number - 1
    if kind in _STRAIGHT:
        return rank * 9 + target_file
    ranks = _RANKS[kind].get(abs(target_file - file), 0)
    rank += ahead * ranks
    return rank * 9 + target_file if ranks and 0 <= rank <= 9 and direction != SIDEWAYS else -1


# From move to text


def find_tandems(cells: bytes, code: int, color: Color) -> list[Tandem]:
    """Tandems of the pieces with a code, from the owner's right to left."""
    tandems = []
    for file in range(1, 10):
        if cells[9 - file if color else file - 1 :: 9].count(code) > 1:
            tandems.append(Tandem(file, _on_file(cells, code, color, file)))
    return tandems


def locate_on_file(cells: bytes, square: Square) -> tuple[int, int, int]:
    """Locate a piece: its file, its place among those of its kind there, and their number.

    Files count from 1 at the owner's right, places from 0 at the front. Raises ValueError for an
    empty square.
    """
    code = cells[square]
    color: Color = Piece.from_code(code).color
    index = square % 9
    file = 9 - index if color else index + 1
    row = _on_file(cells, code, color, file)
    return file, row.index(square), len(row)


def describe(board: CoreBoard, move: Move) -> tuple[PieceType, int, Step, list[Tandem]]:
    """Describe a legal move: the piece's kind, its file, its step, and its kind's tandems.

    There are no tandems unless the piece is part of one; a general, advisor or elephant is always
    identified by its file. Raises IllegalMoveError.
    """
    board.require_legal(move)
    color = board.turn
    cells = board.cells()
    origin = move.from_square
    code = cells[origin]
    kind = code & 7
    rank, index = divmod(origin, 9)
    target_rank, target_file = divmod(move.to_square, 9)
    number = 9 - target_file if color else target_file + 1
    if rank == target_rank:
        step = Step(SIDEWAYS, number)
    else:
        direction = FORWARD if (target_rank > rank) == color else BACKWARD
        step = Step(direction, abs(target_rank - rank) if kind in _STRAIGHT else number)
    tandems = []
    if kind > BISHOP and cells[index::9].count(code) > 1:
        tandems = find_tandems(cells, code, color)
    return kind, 9 - index if color else index + 1, step, tandems
