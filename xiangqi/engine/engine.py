"""The engine behind every protocol: a position, options, and one search at a time.

:class:`Engine` knows no protocol; ``ucci``, ``uci`` and ``cecp`` format its answers. Python code
can use it directly, for a move, an evaluation, or a running analysis::

    engine = Engine()
    engine.play(board, Limits(movetime_ms=500)).best
    engine.analyse(board, Limits(depth=10))[0].score
    with engine.analysis(board) as lines:
        for info in lines:
            if info.depth == 12:
                break

:mod:`xiangqi.engine.searcher` defines its scores.
"""

from __future__ import annotations

import dataclasses
import threading
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping
from queue import SimpleQueue
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Generic, TypeVar

from xiangqi.board import Board
from xiangqi.core.move import Move
from xiangqi.core.searches import SearchInfo, SearchResult
from xiangqi.engine.network import DEFAULT, NetworkFile
from xiangqi.engine.options import OptionError, OptionValue
from xiangqi.engine.running import RunningSearch, StartedSearch, ThreadedSearch
from xiangqi.engine.search import CurrentMove, HashEntry, SearchJob, SearchRunner, ignore, no_search
from xiangqi.engine.searcher import SearcherLike
from xiangqi.engine.settings import EngineSettings, parse_option
from xiangqi.engine.timing import Clock, Limits
from xiangqi.games.record import play_moves
from xiangqi.ground.errors import Fact
from xiangqi.ground.errors.copies import NotCopied
from xiangqi.pieces.fen import STARTING_FEN
from xiangqi.referee.rules import RuleSet, find_rule_set

if TYPE_CHECKING:
    from typing_extensions import Self

    from xiangqi.books import BookMove

__all__ = [
    "Analysis",
    "BackgroundSearch",
    "BusyError",
    "Clock",
    "CurrentMove",
    "Engine",
    "HashEntry",
    "Limits",
    "SearchInfo",
    "SearchJob",
    "SearchResult",
]

STOP_PATIENCE_S: Final = 5.0
"""Seconds to wait for a search that is being stopped."""

T = TypeVar("T")


class BusyError(RuntimeError):
    """The engine is searching and cannot execute the command before the search ends."""


class BackgroundSearch(NotCopied, Generic[T]):
    """A search in another thread: iterate over it for its infos.

    A ``with`` block stops it at its end. ``start`` starts the search, given the callbacks for its
    infos and its result; ``end`` stops it.
    """

    HOLDS = "a running search"

    def __init__(
        self,
        start: Callable[[Callable[[T], None], Callable[[SearchResult], None]], SearchJob],
        end: Callable[[SearchJob], object],
    ) -> None:
        self._queue: SimpleQueue[T | None] = SimpleQueue()
        self._result: SimpleQueue[SearchResult] = SimpleQueue()
        self._is_read = False
        self._end = end
        self.job = start(self._post, self._finish)

    def _post(self, info: T) -> None:
        self._queue.put(info)

    def _finish(self, result: SearchResult) -> None:
        self._result.put(result)
        self._queue.put(None)

    def result(self) -> SearchResult:
        """Wait for the result of the search."""
        result = self._result.get()
        self._result.put(result)
        return result

    def next(self) -> T | None:
        """Wait for the next info; None after the last one."""
        info = None if self._is_read else self._queue.get()
        self._is_read = info is None
        return info

    def __iter__(self) -> Iterator[T]:
        return self

    def __next__(self) -> T:
        info = self.next()
        if info is None:
            raise StopIteration
        return info

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._end(self.job)
        self.result()


class Analysis(BackgroundSearch[SearchInfo]):
    """A running search of the engine, returned by :meth:`Engine.analysis`."""

    def stop(self) -> SearchResult:
        """End the search if it is running, and return its result."""
        self._end(self.job)
        return self.result()


class Engine(NotCopied):
    """A position, options, and at most one search.

    Commands may come from any thread. Answers come through callbacks from the search thread:
    ``on_info`` for each principal variation, ``on_best`` exactly once for each :meth:`go`, and
    ``on_message`` for messages to the user. ``on_current`` reports the root moves of a search that
    takes seconds, from a thread of its own, never after the answer. While ``on_best`` runs,
    commands of other threads wait, so that they find the engine idle; it must not wait for them.

    ``network`` is the path of a network, or DEFAULT. Raises NetworkError for a file that is missing
    or is not a network.

    ``background`` runs the searches of :meth:`begin`; without threads, as in WebAssembly, it is
    :class:`~xiangqi.engine.slices.SlicedSearch`, and ``on_current`` is not called.

    The options select the rule set; ``rules``, a RuleSet or its name, replaces it for one search.
    Raises RuleSetError for a rule set that the search does not support.
    """

    HOLDS = "a search and its memory"

    def __init__(
        self,
        searcher: SearcherLike | None = None,
        *,
        network: str = DEFAULT,
        on_info: Callable[[SearchInfo], None] = ignore,
        on_best: Callable[[SearchResult], None] = ignore,
        on_current: Callable[[CurrentMove], None] | None = None,
        on_message: Callable[[str], None] = ignore,
        background: type[StartedSearch] = ThreadedSearch,
    ) -> None:
        self.on_info = on_info
        self.on_best = on_best
        self.on_current = on_current
        self.on_message = on_message
        engine = weakref.proxy(self)  # without a cycle the memory is freed with the last reference

        def send_message(message: str) -> None:
            engine.on_message(message)

        self._background = background
        self._settings = EngineSettings(searcher, network, send_message)
        self._runner = SearchRunner(self._settings, send_message)
        self._idle = threading.Condition()  # its lock guards the fields from here on
        self._board = Board()  # replaced, never changed
        self._search: RunningSearch | None = None

    # Position and options

    @property
    def board(self) -> Board:
        """A copy of the position with the moves that led to it."""
        return self._board.copy()

    def set_position(
        self, position: str | Board = STARTING_FEN, moves: Iterable[str | Move] = ()
    ) -> None:
        """Set up a position, given as FEN or board, and play moves from there.

        Raises FenError or PositionError for the position, RecordError with its ply for the first
        move that is unreadable or illegal; the old position is then kept.
        """
        board = _set_up(position, moves)
        with self._idle:
            self.require_idle()
            self._board = board

    @property
    def options(self) -> Mapping[str, OptionValue]:
        """Values of all options."""
        return MappingProxyType(self._settings.values)

    def set_option(self, name: str, value: OptionValue) -> None:
        """Set an option to a value or its text.

        Raises OptionError, NetworkError for ``eval_file``, BookError for ``book_file`` and
        TableError for ``table_path``; the old value is then kept.
        """
        parsed = parse_option(name, value)
        if name == "threads" and parsed != 1 and not self._background.HAS_THREADS:
            raise OptionError(name, value, Fact("engine.one_thread"))
        with self._idle:
            self.require_idle()
            self._settings.set(name, parsed)

    @property
    def network(self) -> NetworkFile:
        """Network in use."""
        return self._settings.network

    @property
    def rules(self) -> RuleSet:
        """Rule set selected by the options."""
        return self._settings.rules

    def new_game(self) -> None:
        """Clear the hash table, the histories and the clocks; the position stays."""
        with self._idle:
            self.require_idle()
            self._settings.searcher.clear()
            self._runner.new_game()

    def probe(self, position: str | Board, moves: Iterable[str | Move] = ()) -> HashEntry | None:
        """Hash table entry of a position, or None."""
        found = self._settings.searcher.probe(_set_up(position, moves))
        return None if found is None else HashEntry(*found)

    def find_book_moves(self) -> list[BookMove]:
        """Book moves of the position, highest weight first; raises BookError."""
        return self._settings.books.find(self._board)

    # Searching in the background

    @property
    def is_thinking(self) -> bool:
        """Has a search not answered yet?"""
        return self._search is not None

    def require_idle(self) -> None:
        """Wait for a search that is being stopped; raise BusyError for any other."""
        with self._idle:
            search = self._search
            is_ending = search is not None and search.job.is_stopping
            if search is not None and not (is_ending and self.wait(STOP_PATIENCE_S)):
                raise BusyError("the engine is thinking")

    def go(self, limits: Limits | None = None) -> None:
        """Start to search the position; ``on_best`` gets the answer.

        Raises BusyError during another search, but waits for one that is being stopped.
        """
        callbacks = (self.on_info, self.on_best, self.on_current)
        self.begin(SearchJob(self._board, limits or Limits(), *callbacks, rules=self.rules))

    def stop(self) -> bool:
        """Stop the search, which then answers. False if none is running."""
        with self._idle:
            return self._search is not None and self.end(self._search.job)

    def ponderhit(self) -> bool:
        """Start the clock after a ponder hit. False if the engine was not pondering."""
        with self._idle:
            search = self._search
            if search is None or not search.job.ponders:
                return False
            search.job.is_hit = True
            if not search.job.limits.infinite:
                search.job.may_answer.set()
            search.ponderhit()
            return True

    def wait(self, timeout_s: float | None = None) -> bool:
        """Wait until the engine has answered and is idle; False after ``timeout_s`` seconds."""
        with self._idle:
            return self._idle.wait_for(lambda: self._search is None, timeout_s)

    def quit(self, timeout_s: float = 1.0) -> bool:
        """Stop the search and wait; False if it does not end within ``timeout_s`` seconds."""
        self.stop()
        return self.wait(timeout_s)

    # Searching for a Python program

    def play(
        self,
        board: Board,
        limits: Limits,
        on_info: Callable[[SearchInfo], None] = ignore,
        *,
        rules: RuleSet | str | None = None,
    ) -> SearchResult:
        """Search a board and return the result; the engine's own position stays.

        Raises ValueError if ``limits`` do not end the search, unless a level does.
        """
        rules = self._choose_rules(rules)
        return self._run(SearchJob(board.copy(), limits, on_info, rules=rules))

    def _choose_rules(self, rules: RuleSet | str | None) -> RuleSet:
        return self.rules if rules is None else find_rule_set(rules)

    def _run(self, job: SearchJob) -> SearchResult:
        has_end = not job.limits.is_endless or (
            job.plays and self._runner.plays_a_level(job.limits)
        )
        if not has_end or job.limits.ponder:
            raise ValueError("play and analyse need a limit: depth, nodes, a time or a mate")
        with self._idle:
            self.require_idle()
            self._settings.prepare_search(job.rules)
            self._search = RunningSearch(job, self._runner, self._finish)
        result = no_search()
        try:
            result = self._runner.run(job)
        finally:
            self._finish(job, result)
        return result

    def analyse(
        self,
        board: Board,
        limits: Limits,
        on_info: Callable[[SearchInfo], None] = ignore,
        *,
        rules: RuleSet | str | None = None,
    ) -> list[SearchInfo]:
        """Search a board and return the last info of each line, the best line first."""
        lines: dict[int, SearchInfo] = {}

        def keep(info: SearchInfo) -> None:
            lines[info.multipv] = info
            on_info(info)

        rules = self._choose_rules(rules)
        self._run(SearchJob(board.copy(), limits, keep, rules=rules, plays=False))
        return [lines[number] for number in sorted(lines)]

    def analysis(
        self, board: Board, limits: Limits | None = None, *, rules: RuleSet | str | None = None
    ) -> Analysis:
        """Search a board in the background, until stopped, and iterate over its infos."""
        # The iteration itself shows the end of the search, so the answer need not wait for a stop.
        ending = dataclasses.replace(limits or Limits(), infinite=False, ponder=False)
        rules, own = self._choose_rules(rules), board.copy()

        def start(
            on_info: Callable[[SearchInfo], None], on_best: Callable[[SearchResult], None]
        ) -> SearchJob:
            return self.begin(SearchJob(own, ending, on_info, on_best, rules=rules, plays=False))

        return Analysis(start, self.end)

    # One search

    def begin(self, job: SearchJob) -> SearchJob:
        """Start a search in the background, by default in a thread of its own; return the job.

        With ``job.plays`` a move is wanted, not an analysis, so that books, tables and levels are
        used. Raises BusyError during another search, but waits for one that is being stopped, and
        PositionError for a board that is a draft.
        """
        job.board.require_position()
        with self._idle:
            self.require_idle()
            self._settings.prepare_search(job.rules)
            search = self._background(job, self._runner, self._finish)
            search.start()
            self._search = search
            return job

    def _finish(self, job: SearchJob, result: SearchResult) -> None:
        with self._idle:
            self._search = None
            self._runner.finish(result)
            try:
                job.on_best(result)
            finally:
                self._idle.notify_all()

    def end(self, job: SearchJob) -> bool:
        """Stop this search if it is running; it answers with the result so far."""
        with self._idle:
            if self._search is None or self._search.job is not job:
                return False
            job.is_stopping = True
            job.may_answer.set()
            self._search.stop()
            return True


def _set_up(position: str | Board, moves: Iterable[str | Move]) -> Board:
    """Make a board, a copy if one is given, and play moves on it."""
    board = position.copy() if isinstance(position, Board) else Board(position)
    board.require_position()
    play_moves(board, moves)
    return board
