"""One way to look at a move: as Red's, and from one of the two sides.

The rules know neither colours nor left and right.  A search that takes the first line it finds
does, so that it is shown every move from where all its four pictures look the same.
"""

from collections.abc import Callable
from typing import NamedTuple

from .game import RED
from .tactics import Move, other

Square = Callable[[int], int]


class Ply(NamedTuple):
    """The board before a move, who moves, and the move."""

    board: str
    side: str
    move: Move


Pair = tuple[Ply, Ply | None]
"""A move, and the opponent's before it, if any."""


def mirrored_square(square: int) -> int:
    """Left for right."""
    return square // 9 * 9 + 8 - square % 9


def turned_square(square: int) -> int:
    """Red's end of the board for Black's."""
    return (9 - square // 9) * 9 + square % 9


def mirrored(ply: Ply) -> Ply:
    """The same move with left and right exchanged."""
    board = "".join(ply.board[mirrored_square(square)] for square in range(90))
    return Ply(board, ply.side, (mirrored_square(ply.move[0]), mirrored_square(ply.move[1])))


def turned(ply: Ply) -> Ply:
    """The same move with the colours exchanged."""
    board = "".join(ply.board[turned_square(square)] for square in range(90)).swapcase()
    return Ply(board, other(ply.side), (turned_square(ply.move[0]), turned_square(ply.move[1])))


def of_both(change: Callable[[Ply], Ply], pair: Pair) -> Pair:
    """A change made to a move and to the one before it."""
    ply, cause = pair
    return change(ply), None if cause is None else change(cause)


def one_view(pair: Pair) -> Pair:
    """The one of a pair's four pictures that stands for all."""
    seen = pair if pair[0].side == RED else of_both(turned, pair)
    return min(seen, of_both(mirrored, seen), key=repr)
