"""Rulings in a match: the result of a position, the forbidden moves, and the reasons.

Every position is ruled under the match's rule set, by the endings that
:mod:`xiangqi.referee.outcome` knows, in the words of :mod:`xiangqi.referee.explanation`. Score
adjudication is in :mod:`xiangqi.match.adjudication`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from xiangqi.board import Board
from xiangqi.core.move import Move
from xiangqi.referee.explanation import explain_ending, format_cycle
from xiangqi.referee.outcome import Outcome, barred_moves, losing_repetitions
from xiangqi.referee.reasons import format_reason
from xiangqi.referee.rules import RuleSet

if TYPE_CHECKING:
    from xiangqi.games.record import Result
    from xiangqi.match.pgn import Ended

__all__ = ["GameDecision", "find_banned_moves", "rule", "rule_without_move"]


@dataclass(frozen=True, slots=True)
class GameDecision:
    """Result of a game and the reason."""

    result: Result
    termination: Ended
    reason: str
    """In words: "Black is mated"."""
    ruling: str = ""
    """The referee's ruling on a repetition, in words; empty where there was none."""


def rule(board: Board, rules: RuleSet) -> GameDecision | None:
    """Result of the game by its rules, or None while it goes on."""
    outcome = board.outcome(rules)
    return None if outcome is None else _decide(board, outcome, rules)


def _decide(board: Board, outcome: Outcome, rules: RuleSet) -> GameDecision:
    if outcome.termination.is_repetition:
        ruling = board.judge(rules)
        reason = f"Repetition: {format_reason(ruling)}"
        return GameDecision(outcome.result(), "normal", reason, _capitalize(format_cycle(ruling)))
    ending = explain_ending(board, outcome, rules, in_rounds=True)
    return GameDecision(outcome.result(), "normal", _capitalize(ending))


def _capitalize(words: str) -> str:
    return f"{words[0].upper()}{words[1:]}"


def rule_without_move(board: Board, rules: RuleSet) -> GameDecision | None:
    """Rule for an engine that gives no move though it has one.

    Some engines stop where they see a repetition, sooner than the rule set asks for. If the
    position has occurred before, the game is ruled as it stands, as if it had occurred often
    enough; otherwise the answer is None and the engine is at fault.
    """
    occurrences = board.repetitions()
    if occurrences < 2 or rules.bars_moves:
        return rule(board, rules)
    enough: dict[str, object] = {"occurrences": min(occurrences, rules.occurrences)}
    if rules.penalty == "must_change":  # it has stopped, and will not change
        enough["penalty"] = "loss"
    return rule(board, rules.replace(enough))


def find_banned_moves(board: Board, rules: RuleSet) -> list[Move]:
    """The legal moves that the rule set bars, or that would at once be ruled as lost for the mover
    by a repetition.

    Empty where no other legal move is left: the game has to end in one of them then.
    """
    banned = barred_moves(board, rules) or list(losing_repetitions(board, rules))
    return [] if len(banned) == board.legal_moves.count() else banned
