"""Choice of a book move by weight, among those that the rules allow in a game.

A book knows positions, not games: its lines may repeat a position until the ruling goes against the
side that follows them. So the referee is consulted before a move is played.
"""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

from xiangqi.board import Board
from xiangqi.books.base import BookMove
from xiangqi.core.move import Move
from xiangqi.pieces import Color
from xiangqi.referee.rules import RuleSet

__all__ = ["choose_move", "is_playable"]


def is_playable(board: Board, found: BookMove, rules: RuleSet) -> bool:
    """May a legal move of a book be played at once, without a search?

    Not if the game were lost or drawn with it, if it leads back to a position of the game, or if
    the opponent had a reply with which a repetition would be ruled against the mover. Such moves
    may be right, but that is for a search to tell, which knows the game.
    """
    mover = board.turn
    work = board.copy()
    work.push(found.move)
    outcome = work.outcome(rules)
    if outcome is not None:
        return outcome.winner == mover
    if work.repetitions() > 1:
        return False
    return not any(_loses_by_rule(work, reply, mover, rules) for reply in work.list_moves())


def _loses_by_rule(board: Board, reply: Move, mover: Color, rules: RuleSet) -> bool:
    """Would the opponent's reply bring a repetition about that is ruled against the mover?"""
    board.push_unchecked(reply)
    is_ruled = board.repetitions() >= rules.occurrences
    outcome = board.outcome(rules) if is_ruled else None
    board.pop()
    return outcome is not None and outcome.winner == (not mover)


def choose_move(moves: Iterable[BookMove], random: Random) -> BookMove | None:
    """One of the moves, each as often as its weight says; None if none has a weight above 0."""
    weighty = [one for one in moves if one.weight > 0]
    return random.choices(weighty, [one.weight for one in weighty])[0] if weighty else None
