"""24.2, kill: the threat to mate from the next move on by nothing but checks."""

from functools import cache

from .cxa_choices import KILL_CHECKS
from .tactics import Move, checks, legal_moves, moved, other

Moves = frozenset[Move]


def is_kill(board: str, side: str, banned: Moves) -> bool:
    """Whether `side`, moving next, mates by checks, none of them `banned`.

    A mate that needs the capture of a piece to which an exchange is offered is no kill while that
    piece may take first (figure 29; figure 20 and the second half of 29 are the contrast).
    """
    return any(mates_within(board, side, most, banned) for most in range(1, KILL_CHECKS + 1))


@cache
def mates_within(board: str, side: str, most: int, banned: Moves) -> bool:
    """Whether `side`, to move, mates by at most so many checks in a row, whatever is replied."""
    if most > 1 and mates_within(board, side, most - 1, banned):
        return True
    opponent = other(side)
    for move in checks(board, side):
        after = moved(board, move)
        replies = legal_moves(after, opponent)
        if move in banned or (most == 1 and replies):
            continue
        if all(mates_within(moved(after, reply), side, most - 1, banned) for reply in replies):
            return True
    return False
