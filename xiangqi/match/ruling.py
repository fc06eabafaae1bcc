"""What the referee says in a match: how a game stands, which moves it forbids, and why.

Every position is ruled under the match's rule set: mate, stalemate, a repetition, the limit of
moves without a capture, and material that cannot attack. Score adjudication is another matter, see
:mod:`xiangqi.match.adjudication`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from xiangqi.board import Board, Outcome, Termination
from xiangqi.core.move import Move
from xiangqi.counting import plural
from xiangqi.pieces import ADVISOR, BISHOP, BLACK, KING, PIECE_TYPES, RED, Color, Piece
from xiangqi.referee.judging import Ruling
from xiangqi.referee.reasons import format_reason
from xiangqi.referee.rules import RuleSet
from xiangqi.words import name_side
from xiangqi.words.rounds import Rounds
from xiangqi.words.voice import Voice

if TYPE_CHECKING:
    from xiangqi.match.pgn import Ended, Result

__all__ = ["Decision", "find_banned_moves", "rule", "rule_without_move", "win_for"]

_REPETITIONS: Final = frozenset(
    {Termination.PERPETUAL_CHECK, Termination.PERPETUAL_CHASE, Termination.REPETITION}
)
_ATTACKERS: Final = bytes(
    Piece(kind, color).code
    for color in (RED, BLACK)
    for kind in PIECE_TYPES
    if kind not in (KING, ADVISOR, BISHOP)
)
_FASTEST_CYCLE: Final = 4
"""Plies in which a position can come back."""


@dataclass(frozen=True, slots=True)
class Decision:
    """How a game ended."""

    result: Result
    termination: Ended
    reason: str
    """In words: "Black is mated"."""
    ruling: str = ""
    """The referee's ruling on a repetition, in words; empty where there was none."""


def win_for(color: Color) -> Result:
    """The result that says so."""
    return "1-0" if color == RED else "0-1"


def rule(board: Board, rules: RuleSet) -> Decision | None:
    """How the game has ended by its rules, or None while it goes on."""
    outcome = board.outcome(rules)
    if outcome is not None:
        return _decide(board, outcome, rules)
    if not _can_attack(board):
        return Decision("1/2-1/2", "normal", "Neither side has a piece that can attack")
    return None


def _can_attack(board: Board) -> bool:
    """Has either side anything but its general, advisors and elephants?"""
    pieces = board.setup().board
    return len(pieces.translate(None, delete=_ATTACKERS)) < len(pieces)


def _decide(board: Board, outcome: Outcome, rules: RuleSet) -> Decision:
    result: Result = "1/2-1/2" if outcome.winner is None else win_for(outcome.winner)
    side = name_side("en", board.turn)
    if outcome.termination is Termination.CHECKMATE:
        return Decision(result, "normal", f"{side} is mated")
    if outcome.termination is Termination.STALEMATE:
        return Decision(result, "normal", f"{side} has no legal move")
    if outcome.termination in _REPETITIONS:
        return _decide_repetition(board.judge(rules), result)
    limit = rules.no_capture_limit or 0
    return Decision(result, "normal", f"{_rounds(limit)} without a capture")


def _rounds(plies: int) -> str:
    return plural(plies, "ply") if plies % 2 else plural(plies // 2, "round")


def _decide_repetition(ruling: Ruling, result: Result) -> Decision:
    assert ruling.window is not None  # only a ruling that has been made comes here
    voice, rounds = Voice(), Rounds.from_fen(ruling.fen)
    first, last = (voice.place(rounds, ply) for ply in ruling.window)
    reason = format_reason(ruling, voice)
    verdict = voice.say(ruling.verdict.value)
    words = f"{verdict[0].upper()}{verdict[1:]}: {reason} ({first} to {last})"
    return Decision(result, "normal", f"Repetition: {reason}", words)


def rule_without_move(board: Board, rules: RuleSet) -> Decision | None:
    """Rule for an engine that gives no move though it has one.

    Some engines stop where they see a repetition, sooner than the rule set asks for. If the
    position has occurred before, the game is ruled as it stands, as if it had occurred often
    enough; otherwise the answer is None and the engine is at fault.
    """
    occurrences = board.repetitions()
    if occurrences < 2:
        return rule(board, rules)
    return rule(board, rules.replace({"occurrences": min(occurrences, rules.occurrences)}))


def find_banned_moves(board: Board, rules: RuleSet) -> list[Move]:
    """The legal moves that would at once be ruled as lost for the mover, by a repetition.

    Empty where no other legal move is left: the game has to end in one of them then.
    """
    if board.halfmove_clock < _FASTEST_CYCLE - 1:
        return []
    banned = list(_losing_repetitions(board.copy(), rules))
    return [] if len(banned) == board.legal_moves.count() else banned


def _losing_repetitions(board: Board, rules: RuleSet) -> Iterator[Move]:
    mover = board.turn
    for move in board.list_moves():
        board.push_unchecked(move)
        if board.repetitions() >= rules.occurrences:
            outcome = board.outcome(rules)
            if outcome is not None and outcome.winner == (not mover):
                yield move
        board.pop()
