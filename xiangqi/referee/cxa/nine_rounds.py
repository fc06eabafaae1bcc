"""Nine rounds of forbidden moves that bring no position back (CXA 2020, reference diagram 8)."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from xiangqi.core.board import CoreBoard
from xiangqi.pieces import BLACK, RED, Color
from xiangqi.referee.cxa.found import find_move
from xiangqi.referee.cxa.marking import mark_move
from xiangqi.referee.rules import RuleSet
from xiangqi.referee.ruling import Verdict

__all__ = ["ROUNDS", "find_pressing", "verdict_on"]

ROUNDS: Final = 9
_LEAST_POINTS: Final = 3
"""To how many points a side must have moved: between two of them a position comes back anyway."""


def find_pressing(board: CoreBoard, rules: RuleSet) -> tuple[Color, ...]:
    """The sides whose last nine moves were all forbidden, Red first.

    There must be no capture among the last eighteen plies, and a side's moves must have gone to
    three points at least. Nothing is found where the rule set does not have the clause.
    """
    if rules.nine_rounds == "none" or min(board.halfmove_clock, board.ply()) < 2 * ROUNDS:
        return ()
    return tuple(color for color in (RED, BLACK) if _presses(board, color, rules))


def verdict_on(pressing: Collection[Color]) -> Verdict:
    """The verdict on nine rounds: against the one side that has to change, a draw if both press.

    The clause is known at second hand, and whether mate may be pursued by longer checks is not:
    sides did so in 146 of 4,709 real games, mostly in attacks that went on to win. So the verdict
    is given to whom asks for a ruling, and ends no game.
    """
    if len(pressing) > 1:
        return Verdict.DRAW
    return Verdict.BLACK_WINS if RED in pressing else Verdict.RED_WINS


def _presses(board: CoreBoard, color: Color, rules: RuleSet) -> bool:
    """Looks from the last move back, so that one allowed move is all that is looked at."""
    behind = 1 if board.turn != color else 2  # plies since the side's last move, itself included
    plies = range(board.ply() - behind, board.ply() - 2 * ROUNDS - 1, -2)
    moves = board.move_stack
    if len({moves[ply].to_square for ply in plies}) < _LEAST_POINTS:
        return False
    return all(mark_move(find_move(board, ply).facts, rules).mark.is_strike for ply in plies)
