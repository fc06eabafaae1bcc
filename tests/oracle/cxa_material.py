"""25.3, 26.5-26.7: what pieces are worth, and what counts as won."""

from functools import cache

from .cxa_choices import VALUES
from .tactics import EMPTY, Move, attackers, in_check, is_of, moved, other

Net = tuple[int, int]
"""What a side has won: the worth of pieces, and a number of soldiers that had crossed."""

NOTHING: Net = (0, 0)
FLOATING = 10
"""26.7: a soldier given up costs as much as a horse, a soldier won is less than anything."""


def has_crossed(piece: str, square: int) -> bool:
    """Whether a soldier stands beyond the river."""
    return square >= 45 if piece == "P" else square < 45


def worth(board: str, square: int) -> Net:
    """25.3: what is captured on a square; a soldier that has not crossed is nothing."""
    piece = board[square]
    if piece in "Pp":
        return (0, 1) if has_crossed(piece, square) else NOTHING
    return VALUES[piece.upper()], 0


def plus(net: Net, more: Net) -> Net:
    """Both together."""
    return net[0] + more[0], net[1] + more[1]


def minus(net: Net, less: Net) -> Net:
    """What is left when the opponent takes something."""
    return net[0] - less[0], net[1] - less[1]


def is_gain(net: Net) -> bool:
    """26.7: pieces won; a soldier may be given for a chariot, for others that is no gain."""
    pieces, soldiers = net
    if pieces == 0:
        return soldiers > 0
    return pieces > 0 and (soldiers >= 0 or pieces >= VALUES["R"])


def is_even(net: Net) -> bool:
    """26.5: nothing lost; 26.7: a soldier floats, up to what a horse is worth."""
    pieces, soldiers = net
    return pieces > 0 or (soldiers >= 0 and pieces + FLOATING * soldiers >= 0)


def price(board: str, square: int, side: str) -> int:
    """What a piece counts on one square where captures go to and fro, in the eyes of `side`."""
    pieces, soldiers = worth(board, square)
    return pieces + soldiers * (FLOATING if is_of(board[square], side) else 1)


def pays_on_its_square(board: str, move: Move, side: str) -> bool:
    """26.5: whether a capture wins something by captures on its own square alone."""
    if board[move[1]] == EMPTY or worth(board, move[1]) == NOTHING:
        return False
    after = moved(board, move)
    return price(board, move[1], side) > best_of_square(after, move[1], other(side), side)


@cache
def best_of_square(board: str, square: int, taker: str, side: str) -> int:
    """What `taker` wins at best by capturing on the square or not, in the eyes of `side`."""
    best = 0
    for origin in attackers(board, square, taker):
        after = moved(board, (origin, square))
        if not in_check(after, taker):
            won = price(board, square, side) - best_of_square(after, square, other(taker), side)
            best = max(best, won)
    return best
