"""Endings of games, and moves that the repetition rules bar, in words."""

from __future__ import annotations

from xiangqi.core.board import CoreBoard
from xiangqi.core.move import Move
from xiangqi.ground.errors import Fact, IllegalMoveError
from xiangqi.ground.texts import has_text
from xiangqi.referee.judging import Referee
from xiangqi.referee.outcome import Outcome, Termination, is_barred
from xiangqi.referee.reasons import describe_reason
from xiangqi.referee.rules import RuleSet, find_rule_set
from xiangqi.referee.ruling import Ruling
from xiangqi.words.phrases import Text
from xiangqi.words.voice import PLAIN_VOICE, Voice

__all__ = [
    "describe_ending",
    "describe_outcome",
    "describe_termination",
    "explain_bar",
    "explain_bars",
    "explain_outcome",
    "require_allowed",
]


def explain_outcome(board: CoreBoard, outcome: Outcome, rules: RuleSet | str) -> Text:
    """Winner and reason in a sentence; a repetition is judged again for its evidence."""
    ruling = Referee(rules).judge(board) if outcome.termination.is_repetition else None
    return describe_outcome(outcome, ruling)


def describe_outcome(outcome: Outcome, ruling: Ruling | None) -> Text:
    """Winner and reason in a sentence; ``ruling`` is that on a final repetition, if any."""
    winner = outcome.winner
    verdict = "draw" if winner is None else "red_wins" if winner else "black_wins"
    why = describe_termination(outcome.termination) if ruling is None else describe_reason(ruling)
    if outcome.termination is Termination.BARRED_MOVE:
        why = Text("ended_barred_move", why=why)
    return Text("ending", verdict=Text(verdict), why=why)


def describe_ending(
    board: CoreBoard, outcome: Outcome, rules: RuleSet | str, *, in_rounds: bool = False
) -> Text:
    """Reason for the end of the game, without the result: ``Black is mated``.

    With ``in_rounds``, an even limit of plies without a capture is given in rounds.
    """
    rules, ended = find_rule_set(rules), outcome.termination
    if ended.is_repetition:
        return describe_reason(Referee(rules).judge(board))
    if ended is Termination.NO_CAPTURE:
        plies = (rules.no_capture_limit or 0) if in_rounds else board.halfmove_clock
        if in_rounds and plies % 2 == 0:
            return Text("ended_quiet_rounds", rounds=plies // 2)
        return Text("ended_quiet_plies", plies=plies)
    key = f"ended_side_{ended.name.lower()}"
    if has_text(key):
        return Text(key, side=board.turn, rules=rules.name)
    return describe_termination(ended)


def describe_termination(termination: Termination) -> Text:
    """A termination other than a repetition or a barred or illegal move."""
    return Text(f"ended_{termination.name.lower()}")


def explain_bar(board: CoreBoard, move: Move, rules: RuleSet | str) -> Text | None:
    """Reason why a rule set bars a legal move; None if it does not."""
    if not is_barred(board, move, rules):
        return None
    after = board.copy()
    after.push_unchecked(move)
    return describe_reason(Referee(rules).judge(after))


def explain_bars(board: CoreBoard, rules: RuleSet | str) -> dict[Move, Text]:
    """Reasons of the legal moves that a rule set bars."""
    reasons = {move: explain_bar(board, move, rules) for move in board.list_moves()}
    return {move: why for move, why in reasons.items() if why is not None}


def require_allowed(
    board: CoreBoard, move: Move, rules: RuleSet | str, voice: Voice = PLAIN_VOICE
) -> None:
    """Raise IllegalMoveError with the reason if a rule set bars this legal move."""
    why = explain_bar(board, move, rules)
    if why is not None:
        fact = Fact("illegal.barred", rules=find_rule_set(rules).name, why=why.say(voice))
        raise IllegalMoveError(move.iccs(), board.fen(), fact)
