"""24.2, kill: the threat to mate from the next move on by nothing but checks."""

from functools import cache

from .cxa_choices import KILL_CHECKS
from .tactics import Move, checks, legal_moves, moved, other

Moves = frozenset[Move]
Answers = tuple[tuple[str, ...], ...]


def is_kill(board: str, side: str, banned: Moves) -> bool:
    """Whether `side`, moving next, mates by checks, none of them `banned`.

    A mate that needs the capture of a piece to which an exchange is offered is no kill while that
    piece may take first (figure 29; figure 20 and the second half of 29 are the contrast).
    """
    return mates_within(board, side, KILL_CHECKS, banned)


@cache
def mates_within(board: str, side: str, most: int, banned: Moves) -> bool:
    """Whether `side`, to move, mates by at most so many checks in a row, whatever is replied."""
    if most > 1 and mates_within(board, side, most - 1, banned):
        return True
    return any(
        all(most > 1 and mates_within(after, side, most - 1, banned) for after in replies)
        for replies in answers_to_checks(board, side, banned)
    )


@cache
def answers_to_checks(board: str, side: str, banned: Moves) -> Answers:
    """The boards that the replies lead to, for each check of `side`."""
    found = []
    for move in checks(board, side):
        if move not in banned:
            after = moved(board, move)
            replies = legal_moves(after, other(side))
            found.append(tuple(moved(after, reply) for reply in replies))
    return tuple(found)
