"""Choice of the root moves: those that rules, request, books and tables allow."""

from __future__ import annotations

from collections.abc import Callable

from xiangqi.board import Board
from xiangqi.core.move import Move
from xiangqi.counting import plural
from xiangqi.engine.job import SearchJob
from xiangqi.engine.settings import Settings
from xiangqi.errors import BookError
from xiangqi.referee.barring import losing_repetitions
from xiangqi.referee.explanation import explain_outcome
from xiangqi.referee.outcome import Termination
from xiangqi.referee.rules import RuleSet
from xiangqi.words import say

__all__ = ["Root", "describe_ruling"]


class Root:
    """The choice of root moves, with messages for people."""

    def __init__(self, settings: Settings, tell: Callable[[str], None]) -> None:
        self._settings = settings
        self._tell = tell

    def choose_moves(self, job: SearchJob) -> list[Move]:
        """Root moves that the request allows, if any is legal.

        Moves that the rule set bars are never among them.
        """
        moves = job.board.allowed_moves(job.rules)
        if job.limits.moves is not None:
            wanted = [move for move in moves if move in job.limits.moves]
            if moves and not wanted:
                self._tell("none of the moves to search is legal: choosing from all")
            moves = wanted or moves
        allowed = [move for move in moves if move not in job.limits.banned]
        if moves and not allowed:
            self._tell("all moves are banned: choosing from them all the same")
        return _without_losses(job.board, allowed or moves, job.rules)

    def choose_from_book(self, job: SearchJob, moves: list[Move]) -> Move | None:
        """Choose a book move, if there is one. A damaged book is reported and closed."""
        values, limits, shelf = self._settings.values, job.limits, self._settings.shelf
        is_asked = job.plays and not (limits.infinite or limits.mate or job.ponders)
        if not (is_asked and values["own_book"] and values["multipv"] == 1):
            return None
        try:
            found = shelf.choose(job.board, moves, job.rules)
        except BookError as error:
            shelf.close()
            self._tell(f"{error}; no book is used from now on")
            return None
        if found is None:
            return None
        self._tell(f"book move {found.describe()}")
        return found.move

    def keep_value(self, job: SearchJob, moves: list[Move]) -> list[Move]:
        """The moves that keep what the position is worth, where the tables know that and nothing
        speaks against them."""
        is_asked = job.plays and self._settings.values["multipv"] == 1 and not job.limits.mate
        found = self._settings.endings.advise(job.board, job.rules) if is_asked else None
        kept = [move for move in moves if found is not None and move in found.moves]
        if found is None or not kept:
            return moves
        self._tell(found.says)
        return kept


def _without_losses(board: Board, moves: list[Move], rules: RuleSet) -> list[Move]:
    """The moves less those with which a repetition is complete and ruled against us.

    A search sees to that itself, unless it goes by a relative of the rule set. If every move is
    such a one, all are left.
    """
    if rules.in_search:
        return moves
    losing = set(losing_repetitions(board, rules))
    return [move for move in moves if move not in losing] or moves


def describe_ruling(board: Board, rules: RuleSet) -> str:
    """Reason why the game has ended by rule with moves left; empty if it goes on."""
    outcome = board.outcome(rules)
    if outcome is None:
        return ""
    if outcome.termination is Termination.NO_CAPTURE:
        return (
            f"ruling {say('en', 'draw')}: {plural(board.halfmove_clock, 'ply')} without a capture"
        )
    return f"ruling {explain_outcome(board, outcome, rules)}"
