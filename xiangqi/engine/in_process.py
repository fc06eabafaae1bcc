"""Meihua in this process, with the interface and the types of python-chess.

:class:`Meihua` blocks during each search, :class:`AsyncMeihua` runs in an event loop. They have the
commands of :class:`~xiangqi.client.SimpleEngine` and :class:`~xiangqi.client.XiangqiProtocol`,
which drive engines in other processes.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, TypeAlias, overload

from chess.engine import UciOptionMap

from xiangqi.board import Board
from xiangqi.board.scores import (
    INFO_ALL,
    INFO_BASIC,
    INFO_PV,
    INFO_SCORE,
    AnalysisComplete,
    AnalysisResult,
    AsyncAnalysing,
    BestMove,
    Cp,
    EngineError,
    EngineTerminatedError,
    Info,
    InfoDict,
    Limit,
    Mate,
    Option,
    PlayResult,
    PovScore,
    PovWdl,
    RuleWin,
    Score,
    add_info,
    require_end,
    require_search,
)
from xiangqi.core.move import Move
from xiangqi.engine.engine import BackgroundSearch, BusyError, Engine, SearchInfo, SearchResult
from xiangqi.engine.options import OPTIONS, UCI, OptionValue
from xiangqi.engine.search import SearchJob, accepts_draw
from xiangqi.engine.searcher import is_decided, moves_to_mate
from xiangqi.engine.timing import Clock, Limits
from xiangqi.ground.errors import Fact, XiangqiError
from xiangqi.ground.errors.copies import NotCopied
from xiangqi.ground.installed import __version__
from xiangqi.pieces import RED, Color
from xiangqi.referee.rules import RuleSet, find_rule_set

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = ["AsyncMeihua", "Meihua", "MeihuaAnalysis"]

MANAGED: Final = frozenset({"multipv", "ponder"})
"""Options that the arguments of each search set."""
CLEAR: Final = "Clear Hash"
"""Button that clears the hash table and the histories."""

Start: TypeAlias = Callable[[Callable[[InfoDict], None], Callable[[SearchResult], None]], SearchJob]
"""Starts a search in the background, given the callbacks for its infos and its result."""


# Conversions between the types of python-chess and those of the engine


def score_of(score: int) -> Score:
    """Convert a score of the engine.

    >>> score_of(-35), score_of(29_997), score_of(-30_000), score_of(-28_990)
    (Cp(-35), Mate(+2), Mate(-0), RuleWin(-28990))
    """
    moves = moves_to_mate(score)
    if moves is not None:
        return Mate(moves)
    return RuleWin(score) if is_decided(score) else Cp(score)


def info_of(found: SearchInfo, turn: Color, wanted: Info = INFO_ALL) -> InfoDict:
    """Convert the ``wanted`` parts of an info; ``turn`` is the side to move."""
    info: InfoDict = {"multipv": found.multipv}
    if wanted & INFO_BASIC:
        info["depth"] = found.depth
        info["seldepth"] = found.seldepth
        info["nodes"] = found.nodes
        info["time"] = found.milliseconds / 1000
        info["nps"] = found.nodes * 1000 // max(1, found.milliseconds)
        info["hashfull"] = found.hashfull
    if wanted & INFO_SCORE:
        score = score_of(found.score)
        info["score"] = PovScore(score, turn)
        info["wdl"] = PovWdl((score if isinstance(score, Mate) else Cp(found.score)).wdl(), turn)
        if found.bound == "lower":
            info["lowerbound"] = True
        elif found.bound == "upper":
            info["upperbound"] = True
    if wanted & INFO_PV:
        info["pv"] = list(found.pv)
    return info


def limits_of(limit: Limit, board: Board) -> Limits:
    """Convert the limits for a search of ``board``; raises EngineError for a negative number."""
    for name in ("time", "depth", "nodes", "mate"):
        number = getattr(limit, name)
        if number is not None and not number >= 0:
            raise EngineError(Fact("driver.limit_value", name=name, value=number))
    red = _clock(limit.white_clock, limit.white_inc, limit.remaining_moves)
    black = _clock(limit.black_clock, limit.black_inc, limit.remaining_moves)
    own, other = (red, black) if board.turn == RED else (black, red)
    return Limits(
        depth=_at_least_one(limit.depth),
        nodes=_at_least_one(limit.nodes),
        mate=_at_least_one(limit.mate),
        movetime_ms=_at_least_one(None if limit.time is None else 1000 * limit.time),
        clock=own,
        opponent=other,
    )


def _at_least_one(number: float | None) -> int:
    return 0 if number is None else max(1, round(min(number, 1e18)))


def _clock(seconds: float | None, increment: float | None, moves: int | None) -> Clock | None:
    if seconds is None:
        return None
    return Clock(round(1000 * seconds), round(1000 * (increment or 0.0)), moves or 0)


def _declared_options() -> UciOptionMap[Option]:
    """Options by their UCI names."""
    options: UciOptionMap[Option] = UciOptionMap()
    for name, own in UCI.names.items():
        option = OPTIONS[own]
        least, most = (option.least, option.most) if option.kind == "spin" else (None, None)
        options[name] = Option(name, option.kind, option.default, least, most, [*option.choices])
    options[CLEAR] = Option(CLEAR, "button", None, None, None, None)
    return options


@contextmanager
def _as_engine_errors() -> Iterator[None]:
    try:
        yield
    except XiangqiError as error:
        raise EngineError(error.fact) from error


# The engine


class _InProcess(NotCopied):
    """Common part of :class:`Meihua` and :class:`AsyncMeihua`: one search at a time.

    A new search ends the running one. Errors are those of python-chess: EngineError for a command
    that the engine cannot execute, EngineTerminatedError after it has been closed.
    """

    HOLDS = "a search and its memory"

    def __init__(
        self, options: Mapping[str, Any] | None = None, *, engine: Engine | None = None
    ) -> None:
        self.engine = engine or Engine()
        """The wrapped engine, which uses plain numbers and callbacks."""
        if engine is None:  # no GUI, no lag
            self.engine.set_option("move_overhead", 0)
        self.id: Mapping[str, str] = {
            "name": f"Meihua {__version__}",
            "author": "the Meihua project",
        }
        """Name and author."""
        self.options = _declared_options()
        """Options by their UCI names, which match in any case."""
        self._configured: dict[str, OptionValue] = dict(self.engine.options)
        self._game: object = None
        self._is_fresh = True
        self._is_closed = False
        self._lock = threading.RLock()
        if options:
            self._configure(options)

    def _configure(self, options: Mapping[str, OptionValue]) -> None:
        with self._lock:
            self._end_search()
            self._set({**self._configured, **self._own_names(options)})
            self._configured = dict(self.engine.options)

    def _prepare(
        self,
        board: Board,
        limit: Limit | None,
        *,
        info: Info = INFO_ALL,
        root_moves: Iterable[Move] | None = None,
        banned: Iterable[Move] = (),
        rules: RuleSet | str | None = None,
        multipv: int | None = None,
        game: object = None,
        options: Mapping[str, OptionValue] | None = None,
        plays: bool = False,
    ) -> Start:
        """Validate a search; return the function that starts it on a copy of the board.

        Raises PositionError for a draft, EngineError for a wrong limit.
        """
        limit = Limit() if limit is None else limit
        require_search(board, limit)
        board.require_position()
        moves = None if root_moves is None else tuple(root_moves)
        limits = replace(limits_of(limit, board), moves=moves, banned=tuple(banned))
        own, chosen = board.copy(), None if rules is None else find_rule_set(rules)
        search_options = dict(options or {})
        turn = board.turn

        def start(
            on_info: Callable[[InfoDict], None], on_best: Callable[[SearchResult], None]
        ) -> SearchJob:
            def report(found: SearchInfo) -> None:
                on_info(info_of(found, turn, info))

            def send_message(message: str) -> None:
                if info & INFO_BASIC:
                    on_info({"string": message})

            def finish(result: SearchResult) -> None:
                if result.best is None and info & INFO_SCORE:
                    on_info({"depth": 0, "score": PovScore(Mate(0), turn), "pv": []})
                on_best(result)

            with self._lock:
                self._end_search()
                if not self._is_fresh and game != self._game:
                    self.engine.new_game()
                self._game, self._is_fresh = game, False
                wanted = {**self._configured, **self._own_names(search_options)}
                self._set({**wanted, "multipv": 1 if multipv is None else multipv})
                self.engine.on_message = send_message
                wanted_rules = chosen or self.engine.rules
                with _as_engine_errors():
                    return self.engine.begin(
                        SearchJob(own, limits, report, finish, rules=wanted_rules, plays=plays)
                    )

        return start

    def _close(self) -> None:
        with self._lock:
            self._is_closed = True
            self.engine.quit()

    def _end_search(self) -> None:
        if self._is_closed:
            raise EngineTerminatedError("the engine has been closed")
        self.engine.stop()
        try:
            self.engine.require_idle()
        except BusyError as error:
            raise EngineError(Fact("driver.does_not_stop")) from error

    def _own_names(self, options: Mapping[str, OptionValue]) -> dict[str, OptionValue]:
        """Translate UCI names into the engine's own; press the buttons."""
        values: dict[str, OptionValue] = {}
        for name, value in options.items():
            option = self.options.get(name)
            if option is not None and option.type == "button":
                self.engine.new_game()
                continue
            if option is None:
                raise EngineError(Fact("driver.no_option", name=name, known=(*self.options,)))
            own = UCI.names[option.name]
            if own in MANAGED:
                raise EngineError(Fact("driver.managed", name=option.name))
            values[own] = value
        return values

    def _set(self, values: Mapping[str, OptionValue]) -> None:
        for name, value in values.items():
            if self.engine.options[name] != value:
                with _as_engine_errors():
                    self.engine.set_option(name, value)


def _play_result(
    job: SearchJob, info: InfoDict, result: SearchResult, began: float, draw_offered: bool
) -> PlayResult:
    accepts = draw_offered and accepts_draw(job.board, result)
    seconds = time.perf_counter() - began
    return PlayResult(result.best, result.ponder, info, draw_offered=accepts, seconds=seconds)


class Meihua(_InProcess):
    """Meihua in this process; call :meth:`close` at the end, or use ``with``.

    >>> from xiangqi import Board
    >>> with Meihua({"Hash": 32}) as engine:
    ...     board = Board("4k4/R8/9/9/9/9/9/1R7/9/3K5 w")
    ...     info = engine.analyse(board, Limit(depth=4))
    ...     played = engine.play(board, Limit(time=0.1))
    >>> info["score"].red(), info["pv"]
    (Mate(+1), [Move.from_iccs('b2b9')])
    >>> played.move
    Move.from_iccs('b2b9')

    ``options`` are those of :meth:`configure`. A command ends the running search: :meth:`play` or
    :meth:`analyse` in another thread then returns the result so far. Raises EngineError for a
    command that the engine cannot execute, EngineTerminatedError after it has been closed.
    """

    def configure(self, options: Mapping[str, Any]) -> None:
        """Set options permanently, by their names in UCI; None presses a button."""
        self._configure(options)

    def play(
        self, board: Board, limit: Limit, *, draw_offered: bool = False, **arguments: Any
    ) -> PlayResult:
        """Search for a move; the moves on the board are the history of the game.

        A new value of ``game``, any object, clears the hash table and the histories. ``rules``
        replaces the rule set of the options. The move is one of ``root_moves``, if given, and not
        one of ``banned`` unless all are. ``info`` selects the parts of the info, and ``options``
        are set for this search only. Without a legal move the result's move is None. With
        ``draw_offered`` the engine accepts by offering a draw itself.
        """
        require_end(limit, board)
        start = self._prepare(board, limit, plays=True, **arguments)
        began = time.perf_counter()
        with MeihuaAnalysis(start, self.engine.end) as analysis:
            result = analysis.result()
        return _play_result(analysis.job, analysis.info, result, began, draw_offered)

    @overload
    def analyse(
        self, board: Board, limit: Limit, *, multipv: None = None, **arguments: Any
    ) -> InfoDict: ...
    @overload
    def analyse(
        self, board: Board, limit: Limit, *, multipv: int, **arguments: Any
    ) -> list[InfoDict]: ...
    @overload
    def analyse(
        self, board: Board, limit: Limit, *, multipv: int | None, **arguments: Any
    ) -> InfoDict | list[InfoDict]: ...
    def analyse(
        self, board: Board, limit: Limit, *, multipv: int | None = None, **arguments: Any
    ) -> InfoDict | list[InfoDict]:
        """Search, wait, and return the last info, or a list of infos if ``multipv`` is given.

        ``arguments`` are those of :meth:`play`, without ``draw_offered``.
        """
        require_end(limit, board)
        with self.analysis(board, limit, multipv=multipv, **arguments) as analysis:
            analysis.wait()
        return analysis.info if multipv is None else analysis.multipv

    def analysis(
        self, board: Board, limit: Limit | None = None, **arguments: Any
    ) -> MeihuaAnalysis:
        """Start a search, without a limit until stopped, and iterate over its info.

        ``arguments`` are those of :meth:`analyse`.
        """
        return MeihuaAnalysis(self._prepare(board, limit, **arguments), self.engine.end)

    def ping(self) -> None:
        """Do nothing: an engine in this process always answers."""

    def quit(self) -> None:
        """Close the engine, like :meth:`close`."""
        self.close()

    def close(self) -> None:
        """End the running search and refuse further commands."""
        self._close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class MeihuaAnalysis(BackgroundSearch[InfoDict]):
    """A running search: iterate over it for its info, and stop it at any time.

    A ``with`` block stops it at its end. Returned by :meth:`Meihua.analysis`.
    """

    def __init__(self, start: Start, end: Callable[[SearchJob], object]) -> None:
        self._lines: list[InfoDict] = [{}]
        super().__init__(start, end)

    def _post(self, info: InfoDict) -> None:
        add_info(self._lines, info)
        super()._post(info)

    @property
    def info(self) -> InfoDict:
        """Info of the best line so far."""
        return self._lines[0].copy()

    @property
    def multipv(self) -> list[InfoDict]:
        """Info of each line so far."""
        return [line.copy() for line in list(self._lines)]

    def wait(self) -> BestMove:
        """Wait until the search ends."""
        result = self.result()
        return BestMove(result.best, result.ponder)

    def stop(self) -> None:
        """End the search if it is running; its last info may still arrive."""
        self._end(self.job)

    def would_block(self) -> bool:
        """Would :meth:`get` have to wait?"""
        return not self._is_read and self._queue.empty()

    def empty(self) -> bool:
        """Has all info that arrived been read?"""
        has_ended = not self._result.empty()
        return self._is_read or self._queue.qsize() <= has_ended

    def get(self) -> InfoDict:
        """Wait for the next info; raises AnalysisComplete after the last one."""
        info = self.next()
        if info is None:
            raise AnalysisComplete
        return info


class AsyncMeihua(_InProcess, AsyncAnalysing):
    """Meihua in this process, for programs with an event loop.

    Its commands are those of :class:`Meihua` as coroutines; call :meth:`quit` at the end, or use
    ``async with``. A search does not block the event loop.

    >>> from xiangqi import Board
    >>> async def find() -> PlayResult:
    ...     async with AsyncMeihua() as engine:
    ...         return await engine.play(Board("4k4/R8/9/9/9/9/9/1R7/9/3K5 w"), Limit(depth=2))
    >>> asyncio.run(find()).move
    Move.from_iccs('b2b9')
    """

    async def configure(self, options: Mapping[str, Any]) -> None:
        """Set options permanently, by their names in UCI; None presses a button."""
        await asyncio.to_thread(self._configure, options)

    async def play(
        self, board: Board, limit: Limit, *, draw_offered: bool = False, **arguments: Any
    ) -> PlayResult:
        """Search for a move; see :meth:`Meihua.play`. Cancelling it ends the search."""
        require_end(limit, board)
        start = self._prepare(board, limit, plays=True, **arguments)
        began = time.perf_counter()
        lines: list[InfoDict] = [{}]
        loop = asyncio.get_running_loop()
        future: asyncio.Future[SearchResult] = loop.create_future()

        def finish(result: SearchResult) -> None:
            _call_in(loop, lambda: None if future.done() else future.set_result(result))

        job = await self._start(start, lambda info: add_info(lines, info), finish)
        try:
            result = await future
        finally:
            self.engine.end(job)
        return _play_result(job, lines[0], result, began, draw_offered)

    async def analysis(
        self, board: Board, limit: Limit | None = None, **arguments: Any
    ) -> AnalysisResult:
        """Start a search, without a limit until stopped, and iterate over it with ``async for``."""
        start = self._prepare(board, limit, **arguments)
        loop = asyncio.get_running_loop()
        job: list[SearchJob] = []

        def stop() -> None:
            self.engine.end(job[0])

        analysis = AnalysisResult(stop)

        def report(info: InfoDict) -> None:
            _call_in(loop, lambda: analysis.post(info))

        def finish(result: SearchResult) -> None:
            best = BestMove(result.best, result.ponder)
            _call_in(loop, lambda: analysis.set_finished(best))

        job.append(await self._start(start, report, finish))
        return analysis

    async def _start(
        self,
        start: Start,
        on_info: Callable[[InfoDict], None],
        on_best: Callable[[SearchResult], None],
    ) -> SearchJob:
        """Start a search in another thread, since it has to wait for the previous one to end.

        If the caller is cancelled meanwhile, the search ends as soon as it has started.
        """
        starting = asyncio.ensure_future(asyncio.to_thread(start, on_info, on_best))
        try:
            return await asyncio.shield(starting)
        except asyncio.CancelledError:
            starting.add_done_callback(self._end_started)
            raise

    def _end_started(self, starting: asyncio.Future[SearchJob]) -> None:
        if not starting.cancelled() and starting.exception() is None:
            self.engine.end(starting.result())

    async def ping(self) -> None:
        """Do nothing: an engine in this process always answers."""

    async def quit(self) -> None:
        """End the running search and refuse further commands."""
        await asyncio.to_thread(self._close)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.quit()


def _call_in(loop: asyncio.AbstractEventLoop, function: Callable[[], object]) -> None:
    """Call a function in the event loop, unless the loop has been closed."""
    if not loop.is_closed():
        try:
            loop.call_soon_threadsafe(function)
        except RuntimeError:  # closed at this moment
            return
