"""One search, from the request to the result.

A :class:`SearchJob` is the request and its callbacks. :class:`RootMoves` selects the root moves
that rules, request, books and tables allow; :class:`SearchRunner` prepares the search with its time
limits and its level, and executes it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import copy
from dataclasses import KW_ONLY, dataclass
from typing import Final, NamedTuple

from xiangqi.board import Board
from xiangqi.core.move import Move
from xiangqi.core.searches import MAX_DEPTH, SearchInfo, SearchLimits, SearchResult
from xiangqi.engine.levels import NO_HANDICAP
from xiangqi.engine.options import STYLES
from xiangqi.engine.searcher import MATE, SearcherLike
from xiangqi.engine.settings import EngineSettings
from xiangqi.engine.timing import Limits, TimeKeeper
from xiangqi.engine.weakness import Iterations, Weakness, choose_safely, choose_strength, weaken
from xiangqi.ground.errors import BookError, quote
from xiangqi.ground.texts import say
from xiangqi.referee.endings import describe_ending, explain_outcome
from xiangqi.referee.outcome import (
    Termination,
    lets_lose_by_repetition,
    losing_repetitions,
    no_capture_limit_in_search,
)
from xiangqi.referee.rules import RuleSet

__all__ = [
    "CurrentMove",
    "HashEntry",
    "PreparedSearch",
    "RootMoves",
    "SearchJob",
    "SearchRunner",
    "accepts_draw",
    "describe_ruling",
    "ignore",
    "no_search",
]


DRAW_MARGIN: Final = -50
"""Score, in centipawns, below which an offered draw is accepted."""
QUIET_DRAW_MARGIN: Final = 20
"""The same limit after QUIET_PLIES plies without a capture."""
QUIET_PLIES: Final = 60


class HashEntry(NamedTuple):
    """Hash table entry of a position."""

    move: Move | None
    bound: str
    """``exact``, ``lower`` or ``upper``; ``none`` if only the move is known."""
    score: int
    depth: int


class CurrentMove(NamedTuple):
    """The root move that is being searched."""

    depth: int
    move: Move
    number: int
    """Number of the move in this iteration, from 1."""


def no_search(best: Move | None = None, score: int = 0) -> SearchResult:
    return SearchResult(best, None, score, 0, 0, 0, ())


def accepts_draw(board: Board, result: SearchResult) -> bool:
    """Does the engine accept a draw in this position, given the result of its search?"""
    margin = QUIET_DRAW_MARGIN if board.halfmove_clock >= QUIET_PLIES else DRAW_MARGIN
    return result.depth > 0 and result.score < margin


def ignore(_: object) -> None:
    """Callback that ignores its argument."""


@dataclass(eq=False)
class SearchJob:
    """Request for one search, and its state; no other code may change the board.

    Raises RuleSetError for rules that the search does not support, TypeError if ``limits`` are not
    Limits.
    """

    board: Board
    limits: Limits
    on_info: Callable[[SearchInfo], None] = ignore
    on_best: Callable[[SearchResult], None] = ignore
    on_current: Callable[[CurrentMove], None] | None = None
    _: KW_ONLY
    rules: RuleSet
    plays: bool = True
    """Is a move wanted, not an analysis?"""

    def __post_init__(self) -> None:
        if not isinstance(self.limits, Limits):
            expected = "Limits, as in Limits(movetime_ms=1000)"
            raise TypeError(f"limits {quote(self.limits)}: expected {expected}")
        self.switches = self.rules.switches  # the rule set for the core
        self.is_stopping = False
        self.is_hit = False  # ponder hit
        self.may_answer = threading.Event()
        if not (self.limits.infinite or self.limits.ponder):
            self.may_answer.set()

    @property
    def ponders(self) -> bool:
        return self.limits.ponder and not self.is_hit


class RootMoves:
    """Selection of the root moves, with messages for the user."""

    def __init__(self, settings: EngineSettings, send: Callable[[str], None]) -> None:
        self._settings = settings
        self._send = send

    def choose_moves(self, job: SearchJob) -> list[Move]:
        """Root moves that the request allows, or all if none of them is legal.

        Moves that the rule set bars are excluded.
        """
        moves = job.board.allowed_moves(job.rules)
        if job.limits.moves is not None:
            wanted = [move for move in moves if move in job.limits.moves]
            if moves and not wanted:
                self._send("none of the moves to search is legal: choosing from all")
            moves = wanted or moves
        allowed = [move for move in moves if move not in job.limits.banned]
        if moves and not allowed:
            self._send("all moves are banned: choosing from them all the same")
        moves = allowed or moves
        if job.rules.in_search:  # then the search avoids losing repetitions itself
            return moves
        losing = set(losing_repetitions(job.board, job.rules))
        return [move for move in moves if move not in losing] or moves

    def choose_from_book(self, job: SearchJob, moves: list[Move]) -> Move | None:
        """Choose a book move, or None; report and close damaged books."""
        values, limits, books = self._settings.values, job.limits, self._settings.books
        is_used = job.plays and not (limits.infinite or limits.mate or job.ponders)
        if not (is_used and values["own_book"] and values["multipv"] == 1):
            return None
        try:
            found = books.choose(job.board, moves, job.rules)
        except BookError as error:
            books.close()
            self._send(f"{error}; no book is used from now on")
            return None
        if found is None:
            return None
        self._send(f"book move {found.describe()}")
        return found.move

    def keep_value(self, job: SearchJob, moves: list[Move]) -> list[Move]:
        """Moves that keep the value of the position by the endgame tables, or all moves."""
        is_used = job.plays and self._settings.values["multipv"] == 1 and not job.limits.mate
        found = self._settings.tables.advise(job.board, job.rules) if is_used else None
        kept = [move for move in moves if found is not None and move in found.moves]
        if found is None or not kept:
            return moves
        self._send(found.message)
        return kept


def describe_ruling(board: Board, rules: RuleSet) -> str:
    """Describe how the rules have ended the game; empty if it goes on."""
    outcome = board.outcome(rules)
    if outcome is None:
        return ""
    if outcome.termination is Termination.NO_CAPTURE:
        return f"ruling {say('en', 'draw')}: {describe_ending(board, outcome, rules)}"
    return f"ruling {explain_outcome(board, outcome, rules)}"


class PreparedSearch(NamedTuple):
    """A search with its root moves, limits and weakening, ready to run, perhaps in slices."""

    job: SearchJob
    searcher: SearcherLike
    limits: SearchLimits
    weakness: Weakness | None

    @property
    def is_short(self) -> bool:
        """Is it the search of a level, whose handicap limits it?"""
        return self.weakness is not None and self.weakness.handicap.limits_search

    def run(
        self, on_info: Callable[[SearchInfo], None], limits: SearchLimits | None = None
    ) -> SearchResult:
        """Search, by default with the prepared limits."""
        limits = limits or self.limits
        if self.weakness is not None:
            return self._run_weakly(on_info, limits, self.weakness)
        return self.searcher.search(self.job.board, limits, self.job.switches, on_info)

    def _run_weakly(
        self, on_info: Callable[[SearchInfo], None], limits: SearchLimits, weakness: Weakness
    ) -> SearchResult:
        """Search ``limits.multipv`` lines and choose one of them.

        Moves after which the opponent may win by repetition, which a short search does not see, are
        avoided unless all are such. The best lines are reported as they are found, the chosen one
        last.
        """
        board, rules = self.job.board, self.job.rules
        iterations = Iterations(limits.multipv)

        def collect(info: SearchInfo) -> None:
            iterations.add(info)
            if info.multipv == 1:
                on_info(info)

        result = self.searcher.search(board, limits, self.job.switches, collect)
        if not iterations.complete:
            return result
        chosen = choose_safely(
            iterations.complete, weakness, lambda move: lets_lose_by_repetition(board, move, rules)
        )
        if chosen.pv[0] != result.best:
            reported = copy(chosen)
            reported.multipv = 1
            reported.nodes, reported.milliseconds = result.nodes, result.milliseconds
            on_info(reported)
        return SearchResult(
            chosen.pv[0],
            chosen.pv[1] if len(chosen.pv) > 1 else None,
            chosen.score,
            chosen.depth,
            result.nodes,
            result.milliseconds,
            result.repetition_stages,
        )


MAX_NODES: Final = 10**18
MAX_MILLISECONDS: Final = 10**9
CURRENT_MOVE_AFTER_S: Final = 3.0
"""Seconds after which a search reports its current root move, as in Stockfish."""
CURRENT_MOVE_EVERY_S: Final = 0.1
"""Seconds between these reports; moves searched in less time may be skipped."""


class SearchRunner:
    """Runs the searches of an engine, one at a time, with messages for the user."""

    def __init__(self, settings: EngineSettings, send: Callable[[str], None]) -> None:
        self.send = send
        self._settings = settings
        self._root = RootMoves(settings, send)
        self._time_keeper = TimeKeeper()
        self._searching = settings.searcher  # the searcher of the running search

    def new_game(self) -> None:
        self._time_keeper.new_game()

    def stop(self) -> None:
        self._searching.stop()

    def ponderhit(self) -> None:
        """Start the clock after a ponder hit."""
        self._searching.ponderhit()
        self._time_keeper.ponderhit()

    def finish(self, result: SearchResult) -> None:
        """Record the time and nodes of a finished search."""
        self._time_keeper.finish(result.nodes)

    def plays_a_level(self, limits: Limits) -> bool:
        """Is the move weakened by a level, whose handicap ends the search?"""
        return choose_strength(limits, self._settings.values) is not None

    def play_any(self, job: SearchJob) -> SearchResult:
        return no_search(next(iter(self._root.choose_moves(job)), None))

    def run(self, job: SearchJob) -> SearchResult:
        """Choose a move from the book or search it; report infos and return the answer."""
        search = self.prepare(job)
        if isinstance(search, SearchResult):
            return search
        has_begun = False

        def report(info: SearchInfo) -> None:
            # Repeat a stop or ponderhit that arrived just before the search began.
            nonlocal has_begun
            if job.is_stopping:
                self.stop()
            elif job.is_hit and not has_begun:
                self._searching.ponderhit()
            has_begun = True
            job.on_info(info)

        with self._reporting_current_moves(job, search.limits):
            return search.run(report)

    def prepare(self, job: SearchJob) -> PreparedSearch | SearchResult:
        """Prepare the search; or return the answer, if the job needs none."""
        moves = self._root.choose_moves(job)
        ruling = describe_ruling(job.board, job.rules)
        if not moves:
            if job.board.has_legal_move():
                self.send(ruling)
            return no_search(score=-MATE)
        if ruling:
            self.send(f"{ruling}; playing on")
        found = self._root.choose_from_book(job, moves)
        if found is not None:
            return no_search(found)
        weakness = weaken(job.limits, self._settings.values, job.board) if job.plays else None
        self._searching = self._settings.searcher_for(weakness and weakness.handicap)
        if weakness is None:
            moves = self._root.keep_value(job, moves)
        limits = self._core_limits(job, moves, weakness)
        return PreparedSearch(job, self._searching, limits, weakness)

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
        has_pace = plan.soft_ms > 0 and weakness is None  # levels need whole iterations
        return SearchLimits(
            depth=1 if job.is_stopping else min(depth, MAX_DEPTH),
            nodes=min(nodes, MAX_NODES),
            soft_ms=min(plan.soft_ms, MAX_MILLISECONDS),
            hard_ms=min(plan.hard_ms, MAX_MILLISECONDS),
            nodes_per_ms=nodes_per_ms,
            replan=plan.after if has_pace else None,
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
    def _reporting_current_moves(self, job: SearchJob, limits: SearchLimits) -> Iterator[None]:
        """Report the current root move from another thread, without interrupting the search."""
        is_short = not limits.ponder and 0 < limits.hard_ms <= CURRENT_MOVE_AFTER_S * 1000
        if job.on_current is None or is_short:
            yield
            return
        is_over = threading.Event()
        args = (job.on_current, is_over)
        reporter = threading.Thread(target=self._report_current_moves, args=args, daemon=True)
        reporter.start()
        try:
            yield
        finally:
            is_over.set()
            reporter.join()

    def _report_current_moves(
        self, report: Callable[[CurrentMove], None], is_over: threading.Event
    ) -> None:
        reported = None
        is_done = is_over.wait(CURRENT_MOVE_AFTER_S)
        while not is_done:
            current = self._searching.current_move()
            if current is not None and current != reported:
                report(CurrentMove(*current))
                reported = current
            is_done = is_over.wait(CURRENT_MOVE_EVERY_S)
