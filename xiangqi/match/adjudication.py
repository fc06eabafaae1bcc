"""Ends of match games: by the rule set, by scores, by length, or by endgame tables.

Every position is ruled on under the rule set of the match (:mod:`xiangqi.referee.outcome`).

Adjudication ends lost, drawn and very long games early by the scores of the engines, in centipawns
from the mover's side; a mate is MATE less the moves to it. UCCI defines no unit, and some UCCI
engines score a horse as 100, so scores are multiplied by the engine's ``scale`` first. The rules
and their names are those of fastchess and cutechess-cli.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from xiangqi.board import Board
from xiangqi.core.move import Move
from xiangqi.games.record import Result
from xiangqi.ground.errors import plural
from xiangqi.pieces import BLACK, RED, Color
from xiangqi.referee.endings import describe_ending
from xiangqi.referee.explanation import explain
from xiangqi.referee.outcome import barred_moves, losing_repetitions, win_for
from xiangqi.referee.rules import RuleSet, find_rule_set
from xiangqi.tables.probing import Tablebase, describe_value, find_rules
from xiangqi.words import name_side
from xiangqi.words.phrases import Text

if TYPE_CHECKING:
    from xiangqi.match.pgn import Ended

__all__ = [
    "MATE",
    "Adjudicator",
    "DrawRule",
    "GameDecision",
    "ResignRule",
    "TableRule",
    "find_banned_moves",
    "rule",
    "rule_without_move",
]


@dataclass(frozen=True, slots=True)
class GameDecision:
    """Result of a game and the reason."""

    result: Result
    termination: Ended
    reason: str
    """Reason in words: "Black is mated"."""
    ruling: str = ""
    """The referee's ruling on a repetition, in words; empty without one."""


def rule(board: Board, rules: RuleSet | str) -> GameDecision | None:
    """Return the result of the game under the rules, or None while it goes on."""
    rules = find_rule_set(rules)
    outcome = board.outcome(rules)
    if outcome is None:
        return None
    if not outcome.termination.is_repetition:
        ending = describe_ending(board, outcome, rules, in_rounds=True)
        return GameDecision(outcome.result(), "normal", _capitalize(str(ending)))
    ruling = board.judge(rules)
    found = explain(ruling)
    assert found.extent is not None  # decided rulings have a window
    first, last = found.extent
    verdict = Text(ruling.verdict.value)
    cycle = Text("ruled_cycle", verdict=verdict, reason=found.reason, first=first, last=last)
    reason = f"Repetition: {found.reason}"
    return GameDecision(outcome.result(), "normal", reason, _capitalize(str(cycle)))


def _capitalize(words: str) -> str:
    return f"{words[0].upper()}{words[1:]}"


def rule_without_move(board: Board, rules: RuleSet | str) -> GameDecision | None:
    """Rule on a game whose engine returns no move although it has legal ones.

    Some engines stop at a repetition earlier than the rule set does. If the position has occurred
    before, it is ruled on as if it had occurred often enough; otherwise the result is None and the
    engine is at fault.
    """
    rules = find_rule_set(rules)
    occurrences = board.repetitions()
    if occurrences < 2 or rules.bars_moves:
        return rule(board, rules)
    changes: dict[str, object] = {"occurrences": min(occurrences, rules.occurrences)}
    if rules.penalty == "must_change":  # the engine has stopped, so it cannot change
        changes["penalty"] = "loss"
    return rule(board, rules.replace(changes))


def find_banned_moves(board: Board, rules: RuleSet | str) -> list[Move]:
    """Legal moves that the rule set bars, or that lose at once by repetition.

    Empty if they are all the legal moves: one of them must then be played.
    """
    rules = find_rule_set(rules)
    banned = barred_moves(board, rules) or list(losing_repetitions(board, rules))
    return [] if len(banned) == board.legal_moves.count() else banned


MATE: Final = 100_000
"""The score of a mate, in centipawns."""


@dataclass(frozen=True, slots=True)
class DrawRule:
    """Adjudication of a draw: both sides' scores stay near 0."""

    movecount: int = 8
    """Number of consecutive moves of each side. A capture restarts the count."""
    score: int = 20
    """Maximum distance of the scores from 0, in centipawns."""
    movenumber: int = 34
    """Minimum number of moves of each side before the rule applies."""


@dataclass(frozen=True, slots=True)
class ResignRule:
    """Adjudication of a loss: a side's scores stay losing."""

    movecount: int = 3
    """Number of consecutive moves of the losing side."""
    score: int = 600
    """Minimum deficit in centipawns."""
    twosided: bool = False
    """Must the winner's scores show the same advantage?"""


class TableRule:
    """Adjudication by the endgame tables of a folder.

    Tables are probed right after a capture, when the history does not matter. A win counts only if
    mate comes before the limit of plies without a capture.
    """

    def __init__(self, folder: Path, rules: RuleSet | str) -> None:
        self.rules = find_rule_set(rules)
        self._tables = Tablebase(folder)
        self._name = find_rules(self.rules)

    def find(self, board: Board) -> GameDecision | None:
        """Result by the tables, or None if they do not apply. Raises TableError for a bad file."""
        if self._name is None or board.halfmove_clock:
            return None
        value = self._tables.probe(board, self._name)
        limit = self.rules.no_capture_limit
        if value is None or (limit is not None and value.distance > limit):
            return None
        winner = board.turn if value.value > 0 else not board.turn
        result: Result = win_for(winner) if value.value else "1/2-1/2"
        return _adjudicate(
            result, f"Endgame tables: {describe_value(value, board.turn, self.rules.name)}"
        )


class Adjudicator:
    """Adjudication of one game by scores, length and tables."""

    def __init__(
        self,
        draw: DrawRule | None = None,
        resign: ResignRule | None = None,
        max_moves: int = 0,
        tables: TableRule | None = None,
    ) -> None:
        self.draw = draw
        self.resign = resign
        self.max_moves = max_moves
        self.tables = tables
        self._quiet_plies = 0
        self._behind = {RED: 0, BLACK: 0}
        self._ahead = {RED: 0, BLACK: 0}

    def add_move(self, board: Board, score: int | None) -> GameDecision | None:
        """Add the score of the last move, from the mover's side; return the decision, if any.

        A move without a score restarts all counts.
        """
        mover = not board.turn
        for found in (
            None if self.tables is None else self.tables.find(board),
            self._add_to_resign(mover, score),
            self._add_to_draw(board, score),
        ):
            if found is not None:
                return found
        if self.max_moves and board.ply() >= 2 * self.max_moves:
            return _adjudicate("1/2-1/2", f"{plural(self.max_moves, 'move')} played by each side")
        return None

    def _add_to_resign(self, mover: Color, score: int | None) -> GameDecision | None:
        rule = self.resign
        if rule is None:
            return None
        is_behind = score is not None and score <= -rule.score
        is_ahead = score is not None and score >= rule.score
        self._behind[mover] = self._behind[mover] + 1 if is_behind else 0
        self._ahead[mover] = self._ahead[mover] + 1 if is_ahead else 0
        for loser in (mover, not mover):
            agreed = not rule.twosided or self._ahead[not loser] >= rule.movecount
            if self._behind[loser] >= rule.movecount and agreed:
                why = f"{name_side('en', loser)} is behind by {rule.score} or more"
                return _adjudicate(
                    win_for(not loser), f"{why} for {plural(rule.movecount, 'move')}"
                )
        return None

    def _add_to_draw(self, board: Board, score: int | None) -> GameDecision | None:
        rule = self.draw
        if rule is None:
            return None
        is_quiet = score is not None and abs(score) <= rule.score and board.halfmove_clock > 0
        self._quiet_plies = self._quiet_plies + 1 if is_quiet else 0
        is_late = board.ply() >= 2 * rule.movenumber
        if not is_late or self._quiet_plies < 2 * rule.movecount:
            return None
        why = f"The scores are within {rule.score} for {plural(rule.movecount, 'move')}"
        return _adjudicate("1/2-1/2", why)


def _adjudicate(result: Result, reason: str) -> GameDecision:
    return GameDecision(result, "adjudication", reason)
