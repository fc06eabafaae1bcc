"""Mate by an unbroken series of checks, and by any moves, by looking at every line."""

from .game import Position, apply, is_check, legal_moves


def checks_to_mate(position: Position, most: int) -> int | None:
    """The least number of checks with which the side to move mates, whatever is replied; None if
    it cannot with `most`.

    It may only check, and the defender has every legal reply.
    """
    if most == 0:
        return None
    found = [
        number
        for move in legal_moves(position)
        if is_check(after := apply(position, move))
        and (number := _checks_from(after, most - 1)) is not None
    ]
    return min(found, default=None)


def _checks_from(position: Position, most: int) -> int | None:
    """With the side to move in check: that check and as many as it takes after the best reply."""
    longest = 0
    for move in legal_moves(position):
        number = checks_to_mate(apply(position, move), most)
        if number is None:
            return None
        longest = max(longest, number)
    return longest + 1


def moves_to_mate(position: Position, most: int) -> int | None:
    """The least number of moves with which the side to move mates, whatever is replied; None if it
    cannot with `most`. A side without a legal move has lost, in check or not."""
    if most == 0:
        return None
    found = [
        number
        for move in legal_moves(position)
        if (number := _moves_from(apply(position, move), most - 1)) is not None
    ]
    return min(found, default=None)


def _moves_from(position: Position, most: int) -> int | None:
    """With the move of that side just made: it and as many as it takes after the best reply."""
    longest = 0
    for move in legal_moves(position):
        number = moves_to_mate(apply(position, move), most)
        if number is None:
            return None
        longest = max(longest, number)
    return longest + 1
