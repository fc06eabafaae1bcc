"""Mate by any moves, or by an unbroken series of checks, by looking at every line."""

from .game import Position, apply, is_check, legal_moves


def moves_to_mate(position: Position, most: int, *, by_checks: bool = False) -> int | None:
    """The least number of moves with which the side to move mates, whatever is replied; None if it
    cannot with `most`. A side without a legal move has lost, in check or not.

    With `by_checks` it may only check; the defender has every legal reply all the same.
    """
    if most == 0:
        return None
    found = [
        number
        for move in legal_moves(position)
        if is_check(after := apply(position, move)) or not by_checks
        if (number := _moves_from(after, most - 1, by_checks)) is not None
    ]
    return min(found, default=None)


def _moves_from(position: Position, most: int, by_checks: bool) -> int | None:
    """With the move of that side just made: it and as many as it takes after the best reply."""
    longest = 0
    for move in legal_moves(position):
        number = moves_to_mate(apply(position, move), most, by_checks=by_checks)
        if number is None:
            return None
        longest = max(longest, number)
    return longest + 1
