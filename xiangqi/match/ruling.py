"""Rulings in a match: the result of a position, the forbidden moves, and the reasons.

Every position is ruled under the match's rule set, by the endings that
:mod:`xiangqi.referee.outcome` knows; here they get their words. Score adjudication is another
matter, see :mod:`xiangqi.match.adjudication`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from xiangqi.board import Board
from xiangqi.core.move import Move
from xiangqi.counting import plural
from xiangqi.referee.barring import barred_moves, losing_repetitions
from xiangqi.referee.explanation import format_termination
from xiangqi.referee.judging import Ruling
from xiangqi.referee.outcome import Outcome, Termination
from xiangqi.referee.reasons import format_reason
from xiangqi.referee.rules import RuleSet
from xiangqi.words import name_side
from xiangqi.words.rounds import Rounds
from xiangqi.words.voice import Voice

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
        return _decide_repetition(board.judge(rules), outcome)
    return GameDecision(outcome.result(), "normal", _tell(board, outcome.termination, rules))


def _tell(board: Board, termination: Termination, rules: RuleSet) -> str:
    if termination is Termination.CHECKMATE:
        return f"{name_side('en', board.turn)} is mated"
    if termination is Termination.STALEMATE:
        return f"{name_side('en', board.turn)} has no legal move"
    if termination is Termination.ALL_BARRED:
        return f"{name_side('en', board.turn)} has only moves that {rules.name} bars"
    if termination is Termination.NO_CAPTURE:
        return f"{_rounds(rules.no_capture_limit or 0)} without a capture"
    return _capitalize(format_termination(termination))


def _rounds(plies: int) -> str:
    return plural(plies, "ply") if plies % 2 else plural(plies // 2, "round")


def _decide_repetition(ruling: Ruling, outcome: Outcome) -> GameDecision:
    assert ruling.window is not None  # only a ruling that has been made comes here
    voice, rounds = Voice(), Rounds.from_fen(ruling.fen)
    first, last = (voice.place(rounds, ply) for ply in ruling.window)
    reason = format_reason(ruling, voice)
    verdict = voice.say(ruling.verdict.value)
    words = f"{_capitalize(verdict)}: {reason} ({first} to {last})"
    return GameDecision(outcome.result(), "normal", f"Repetition: {reason}", words)


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
