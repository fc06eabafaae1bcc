"""Which moves of a book may be played in a game, and choosing one by weight.

A book knows positions, not games: what it recommends may repeat a position once too often. So
the rules are asked before a move is played.
"""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

from xiangqi.board import Board
from xiangqi.books.base import BookMove
from xiangqi.referee.rules import RuleSet

__all__ = ["choose_move", "is_playable"]


def is_playable(board: Board, found: BookMove, rules: RuleSet) -> bool:
    """May a legal move of a book be played at once, without a search?

    Not if the game were ruled lost or drawn with it, nor if the opponent had a reply with which
    a repetition would be ruled against the mover. A draw may be right, but it is for a search to
    tell.
    """
    mover = board.turn
    work = board.copy()
    work.push(found.move)
    outcome = work.outcome(rules)
    if outcome is not None:
        return outcome.winner == mover
    for reply in work.list_moves():
        work.push_unchecked(reply)
        ruled = work.repetitions() >= rules.occurrences
        outcome = work.outcome(rules) if ruled else None
        work.pop()
        if outcome is not None and outcome.winner == (not mover):
            return False
    return True


def choose_move(moves: Iterable[BookMove], random: Random) -> BookMove | None:
    """One of the moves, each as often as its weight says; None if none has a weight above 0."""
    weighty = [one for one in moves if one.weight > 0]
    return random.choices(weighty, [one.weight for one in weighty])[0] if weighty else None
