"""Execution of one search: its level, its books and tables, its limits, its root moves."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from xiangqi.core.move import Move
from xiangqi.core.searches import SearchInfo, SearchLimits, SearchResult
from xiangqi.engine.choosing import Root, describe_ruling
from xiangqi.engine.job import CurrentMove, SearchJob, no_search
from xiangqi.engine.levels import NO_HANDICAP
from xiangqi.engine.options import STYLES
from xiangqi.engine.scores import MATE
from xiangqi.engine.settings import Settings
from xiangqi.engine.timing import Limits, TimeKeeper
from xiangqi.engine.weakening import Weakness, choose_strength, search_weakly, weaken
from xiangqi.referee.barring import lets_lose_by_repetition
from xiangqi.referee.outcome import no_capture_limit_in_search

__all__ = ["SearchRunner"]

MAX_DEPTH: Final = 100
MAX_NODES: Final = 10**18
MAX_MILLISECONDS: Final = 10**9
CURRENT_MOVE_AFTER_S: Final = 3.0
"""A search that takes longer tells which root move it is at, as Stockfish does."""
CURRENT_MOVE_EVERY_S: Final = 0.1
"""How often it looks; a root move that takes less may be passed over."""


class SearchRunner:
    """Runs the searches of an engine, one at a time, with messages for people."""

    def __init__(self, settings: Settings, tell: Callable[[str], None]) -> None:
        self._settings = settings
        self._tell = tell
        self._root = Root(settings, tell)
        self._time_keeper = TimeKeeper()
        self._searching = settings.searcher  # the one that searches

    def new_game(self) -> None:
        """Forget what was learnt of the clocks of the game before."""
        self._time_keeper.new_game()

    def stop(self) -> None:
        """Make the search answer."""
        self._searching.stop()

    def ponderhit(self) -> None:
        """Start the clock after a ponder hit."""
        self._searching.ponderhit()
        self._time_keeper.ponderhit()

    def answered(self, result: SearchResult) -> None:
        """The search has been answered by this."""
        self._time_keeper.answered(result.nodes)

    def plays_a_level(self, limits: Limits) -> bool:
        """Does a level end a search of its own accord?"""
        return choose_strength(limits, self._settings.values) is not None

    def answer_anything(self, job: SearchJob) -> SearchResult:
        """Any move that may be played, without a search."""
        return no_search(next(iter(self._root.choose_moves(job)), None))

    def run(self, job: SearchJob) -> SearchResult:
        """Search, report infos, and return the answer."""
        moves = self._root.choose_moves(job)
        ruling = describe_ruling(job.board, job.rules)
        if not moves:
            if job.board.has_legal_move():
                self._tell(ruling)
            return no_search(score=-MATE)
        if ruling:
            self._tell(f"{ruling}; playing on")

        def report(info: SearchInfo) -> None:
            # A command that came just before the search began was not heard by it.
            if job.is_stopping:
                self._searching.stop()
            elif job.is_hit and not job.has_begun:
                self._searching.ponderhit()
            job.has_begun = True
            job.on_info(info)

        found = self._root.choose_from_book(job, moves)
        if found is not None:
            return no_search(found)
        weakness = weaken(job.limits, self._settings.values, job.board) if job.plays else None
        self._searching = self._settings.searcher_for(weakness)
        if weakness is None:
            moves = self._root.keep_value(job, moves)
        limits = self._core_limits(job, moves, weakness)
        task = (job.board, limits, job.switches, report)
        with self._telling_current_moves(job, limits):
            if weakness is None:
                return self._searching.search(*task)
            return search_weakly(
                self._searching,
                *task,
                weakness,
                lambda move: lets_lose_by_repetition(job.board, move, job.rules),
            )

    def _core_limits(
        self, job: SearchJob, moves: list[Move], weakness: Weakness | None
    ) -> SearchLimits:
        limits = job.limits
        handicap = NO_HANDICAP if weakness is None else weakness.handicap
        depth, nodes = handicap.shorten(limits.depth, limits.nodes)
        nodes_per_ms = int(self._settings.values["nodestime"])
        plan = self._time_keeper.plan(
            limits,
            int(self._settings.values["move_overhead"]),
            ponder=bool(self._settings.values["ponder"]),
            only_move=len(moves) == 1,
            nodes_per_ms=nodes_per_ms,
        )
        has_pace = plan.soft_ms > 0 and weakness is None  # lots are drawn of whole iterations
        return SearchLimits(
            depth=1 if job.is_stopping else min(depth, MAX_DEPTH),
            nodes=min(nodes, MAX_NODES),
            soft_ms=min(plan.soft_ms, MAX_MILLISECONDS),
            hard_ms=min(plan.hard_ms, MAX_MILLISECONDS),
            nodes_per_ms=nodes_per_ms,
            replan=self._time_keeper.replan if has_pace else None,
            ponder=job.ponders and not job.is_stopping,
            multipv=min(handicap.lines or int(self._settings.values["multipv"]), len(moves)),
            moves=None if len(moves) == len(job.board.legal_moves) else moves,
            mate=min(limits.mate, MAX_DEPTH),
            no_capture_limit=no_capture_limit_in_search(job.board, job.rules),
            contempt=STYLES[str(self._settings.values["style"])]
            if job.plays and not limits.is_analysis
            else 0,
        )

    @contextmanager
    def _telling_current_moves(self, job: SearchJob, limits: SearchLimits) -> Iterator[None]:
        """A thread looks where the search is, so that the search itself need not stop to tell."""
        is_short = not limits.ponder and 0 < limits.hard_ms <= CURRENT_MOVE_AFTER_S * 1000
        if job.on_current is None or is_short:
            yield
            return
        is_over = threading.Event()
        args = (job.on_current, is_over)
        teller = threading.Thread(target=self._tell_current_moves, args=args, daemon=True)
        teller.start()
        try:
            yield
        finally:
            is_over.set()
            teller.join()

    def _tell_current_moves(
        self, tell: Callable[[CurrentMove], None], is_over: threading.Event
    ) -> None:
        told = None
        is_done = is_over.wait(CURRENT_MOVE_AFTER_S)
        while not is_done:
            current = self._searching.current_move()
            if current is not None and current != told:
                tell(CurrentMove(*current))
                told = current
            is_done = is_over.wait(CURRENT_MOVE_EVERY_S)
