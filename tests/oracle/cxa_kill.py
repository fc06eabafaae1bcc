"""24.2, kill: the threat to mate from the next move on by nothing but checks."""

from functools import cache

from .cxa_choices import KILL_CHECKS
from .tactics import Move, captures, checks, legal_moves, moved, other

Offered = frozenset[tuple[int, str]]
"""Pieces to which an exchange is offered: where they stand, and which they are."""


@cache
def mates_within(board: str, side: str, number: int, offered: Offered = frozenset()) -> bool:
    """Whether `side`, to move, mates by at most so many checks in a row, whatever is replied.

    It captures none of the pieces `offered`.
    """
    if number == 0:
        return False
    return any(
        all(
            mates_within(moved(after, reply), side, number - 1, offered)
            for reply in legal_moves(after, other(side))
        )
        for after in (
            moved(board, move)
            for move in checks(board, side)
            if (move[1], board[move[1]]) not in offered
        )
    )


def mutual_captures(board: str, side: str) -> list[Move]:
    """The captures of `side` by a piece that an equal piece may legally take instead."""
    replies = legal_moves(board, other(side))
    return [
        (attacker, victim)
        for attacker, victim in captures(board, side)
        if board[attacker].upper() == board[victim].upper() and (victim, attacker) in replies
    ]


def offered_against_mate(board: str, side: str) -> Offered:
    """24.4: pieces that may end the threat by exchanging themselves, without being mated then."""
    return frozenset(
        (victim, board[victim])
        for attacker, victim in mutual_captures(board, side)
        if not mates_within(moved(board, (victim, attacker)), side, KILL_CHECKS)
    )


def is_kill(board: str, side: str) -> bool:
    """24.2: whether `side`, moving next, mates by checks.

    A mate that needs the capture of a piece to which an exchange is offered is no kill while that
    piece may take first (figure 29; figure 20 and the second half of 29 are the contrast).
    """
    if not shortest_mate(board, side, frozenset()):
        return False
    offered = offered_against_mate(board, side)
    return not offered or bool(shortest_mate(board, side, offered))


def shortest_mate(board: str, side: str, offered: Offered) -> int:
    """How many checks the shortest mate takes, 0 if none is found."""
    numbers = range(1, KILL_CHECKS + 1)
    return next((n for n in numbers if mates_within(board, side, n, offered)), 0)
