"""One search: its request and its reports."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import NamedTuple

from xiangqi.board import Board
from xiangqi.core.move import Move
from xiangqi.core.searches import SearchInfo, SearchResult
from xiangqi.engine.timing import Limits
from xiangqi.errors import quote
from xiangqi.referee.rules import RuleSet, find_rule_set

__all__ = ["CurrentMove", "HashEntry", "SearchJob", "ignore", "no_search"]


class HashEntry(NamedTuple):
    """Hash table entry of a position."""

    move: Move | None
    bound: str
    """``exact``, ``lower`` or ``upper``, or ``none`` where only the move is known."""
    score: int
    depth: int


class CurrentMove(NamedTuple):
    """The root move that is being searched."""

    depth: int
    move: Move
    number: int
    """Its place in this iteration, from 1."""


def no_search(best: Move | None = None, score: int = 0) -> SearchResult:
    """Answer without a search."""
    return SearchResult(best, None, score, 0, 0, 0, ())


def ignore(_: object) -> None:
    """Callback that ignores its argument."""


class SearchJob:
    """One search, from the request to the answer, of a board that no other code changes.

    Raises RuleSetError for an unknown rule set, and for one that no search can use; TypeError for
    limits of another type.
    """

    def __init__(
        self,
        board: Board,
        limits: Limits,
        on_info: Callable[[SearchInfo], None] = ignore,
        on_best: Callable[[SearchResult], None] = ignore,
        on_current: Callable[[CurrentMove], None] | None = None,
        *,
        rules: RuleSet | str,
        plays: bool = True,
    ) -> None:
        if not isinstance(limits, Limits):
            expected = "Limits, as in Limits(movetime_ms=1000)"
            raise TypeError(f"limits {quote(limits)}: expected {expected}")
        self.board = board
        self.limits = limits
        self.rules = find_rule_set(rules)
        self.switches = self.rules.switches  # the same for the core
        self.plays = plays  # a move is wanted, not an opinion
        self.on_info = on_info
        self.on_best = on_best
        self.on_current = on_current
        self.is_stopping = False
        self.is_hit = False  # the move that was pondered on has been played
        self.has_begun = False
        self.may_answer = threading.Event()
        if not (limits.infinite or limits.ponder):
            self.may_answer.set()

    @property
    def ponders(self) -> bool:
        """Is it still thought on the opponent's time?"""
        return self.limits.ponder and not self.is_hit
