"""Our engine as programs use any engine: :class:`Meihua` waits for answers, and
:class:`AsyncMeihua` does so in an event loop.

Both take and give what :class:`~xiangqi.client.SimpleEngine` and
:class:`~xiangqi.client.XiangqiProtocol` do, whose engines are processes of their own.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, overload

from xiangqi.board import Board
from xiangqi.engine.asking import Asked, Desk, play_result
from xiangqi.engine.engine import Engine, SearchJob, SearchResult
from xiangqi.engine.watching import Watched
from xiangqi.scores import (
    AnalysisComplete,
    AnalysisResult,
    AsyncAnalysing,
    BestMove,
    InfoDict,
    Limit,
    Option,
    PlayResult,
    add_info,
    require_end,
)

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = ["Analysing", "AsyncMeihua", "Meihua"]


class _Door:
    """Common part of the synchronous and the asynchronous engine."""

    def __init__(
        self, options: Mapping[str, Any] | None = None, *, engine: Engine | None = None
    ) -> None:
        self._desk = Desk(options, engine=engine)

    @property
    def id(self) -> Mapping[str, str]:
        """Identity of the engine: ``name`` and ``author``."""
        return self._desk.id

    @property
    def options(self) -> Mapping[str, Option]:
        """The options that it has, by their names in UCI, in any case."""
        return self._desk.options


class Meihua(_Door):
    """Our engine, in this process; to be closed, or used with ``with``.

    >>> from xiangqi import Board
    >>> with Meihua({"Hash": 32}) as engine:
    ...     board = Board("4k4/R8/9/9/9/9/9/1R7/9/3K5 w")
    ...     info = engine.analyse(board, Limit(depth=4))
    ...     played = engine.play(board, Limit(time=0.1))
    >>> info["score"].red(), info["pv"]
    (Mate(+1), [Move.from_iccs('b2b9')])
    >>> played.move
    Move.from_iccs('b2b9')

    ``options`` are set as by :meth:`configure`. Each command ends the search that goes on; a search
    that :meth:`play` or :meth:`analyse` of another thread waits for answers with what it has.
    Raises EngineError for what the engine cannot do, EngineTerminatedError when it has been closed.
    """

    def configure(self, options: Mapping[str, Any]) -> None:
        """Set options for good, by their names in UCI; a button is pressed by None."""
        self._desk.keep(options)

    def play(
        self, board: Board, limit: Limit, *, draw_offered: bool = False, **arguments: Any
    ) -> PlayResult:
        """Search for a move; the moves on the board are the history of the game.

        A new value of ``game``, any object, clears the hash table and the histories. ``rules``, any
        rule set, replaces that of the options. The move is one of ``root_moves`` if these are
        given, and none of ``banned`` unless there is no other. ``info`` selects the parts of the
        info, and ``options`` are set for this search alone. Without a legal move the result has
        none. With ``draw_offered`` the engine accepts by offering a draw itself.
        """
        require_end(limit, board)
        asked = self._desk.ask(board, limit, plays=True, draw_offered=draw_offered, **arguments)
        began = time.perf_counter()
        with Analysing(self._desk, asked) as seen:
            result = seen.result()
        return play_result(asked, seen.multipv, result, began)

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

        ``arguments`` are those of :meth:`play`, but for the draw.
        """
        require_end(limit, board)
        with self.analysis(board, limit, multipv=multipv, **arguments) as seen:
            seen.wait()
        return seen.info if multipv is None else seen.multipv

    def analysis(self, board: Board, limit: Limit | None = None, **arguments: Any) -> Analysing:
        """Start a search, without a limit until stopped, and iterate over its info.

        ``arguments`` are those of :meth:`analyse`.
        """
        return Analysing(self._desk, self._desk.ask(board, limit, **arguments))

    def ping(self) -> None:
        """Nothing: the engine is there."""

    def quit(self) -> None:
        """Close the engine, like :meth:`close`."""
        self.close()

    def close(self) -> None:
        """End the search that goes on; nothing more can be asked."""
        self._desk.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Analysing(Watched[InfoDict]):
    """A search that can be watched: iterate over it for what it finds, and stop it any time.

    Best used with ``with``, which stops it at the end. Made by :meth:`Meihua.analysis`.
    """

    def __init__(self, desk: Desk, asked: Asked) -> None:
        self._lines: list[InfoDict] = [{}]
        super().__init__(partial(desk.begin, asked), desk.engine.end)

    def _tell(self, info: InfoDict) -> None:
        add_info(self._lines, info)
        super()._tell(info)

    @property
    def info(self) -> InfoDict:
        """All that is known of the best line."""
        return self._lines[0].copy()

    @property
    def multipv(self) -> list[InfoDict]:
        """All that is known of each line."""
        return [line.copy() for line in list(self._lines)]

    def wait(self) -> BestMove:
        """Wait until it has ended."""
        result = self.result()
        return BestMove(result.best, result.ponder)

    def stop(self) -> None:
        """End the search, unless it has ended; its last words may still come."""
        self._end(self._job)

    def would_block(self) -> bool:
        """Would :meth:`get` have to wait?"""
        return not self._is_read and self._news.empty()

    def empty(self) -> bool:
        """Has all been read that is there now?"""
        has_ended = not self._result.empty()
        return self._is_read or self._news.qsize() <= has_ended

    def get(self) -> InfoDict:
        """Wait for the next info; raises AnalysisComplete after the last one."""
        info = self.next()
        if info is None:
            raise AnalysisComplete
        return info


class AsyncMeihua(_Door, AsyncAnalysing):
    """Our engine, in this process, for programs with an event loop.

    Its commands are those of :class:`Meihua` as coroutines; to be used with ``async with``, or
    ended by :meth:`quit`. What goes on in the loop is not held up by a search.

    >>> from xiangqi import Board
    >>> async def find() -> PlayResult:
    ...     async with AsyncMeihua() as engine:
    ...         return await engine.play(Board("4k4/R8/9/9/9/9/9/1R7/9/3K5 w"), Limit(depth=2))
    >>> asyncio.run(find()).move
    Move.from_iccs('b2b9')
    """

    async def configure(self, options: Mapping[str, Any]) -> None:
        """Set options for good, by their names in UCI; a button is pressed by None."""
        await asyncio.to_thread(self._desk.keep, options)

    async def play(
        self, board: Board, limit: Limit, *, draw_offered: bool = False, **arguments: Any
    ) -> PlayResult:
        """Search for a move; see :meth:`Meihua.play`. Cancelling it ends the search."""
        require_end(limit, board)
        asked = self._desk.ask(board, limit, plays=True, draw_offered=draw_offered, **arguments)
        began = time.perf_counter()
        lines: list[InfoDict] = []
        loop = asyncio.get_running_loop()
        future: asyncio.Future[SearchResult] = loop.create_future()

        def answer(result: SearchResult) -> None:
            _later(loop, lambda: None if future.done() else future.set_result(result))

        job = await self._begin(asked, lambda info: add_info(lines, info), answer)
        try:
            result = await future
        finally:
            self._desk.engine.end(job)
        return play_result(asked, lines, result, began)

    async def analysis(
        self, board: Board, limit: Limit | None = None, **arguments: Any
    ) -> AnalysisResult:
        """Start a search, without a limit until stopped, and iterate over it with ``async for``."""
        asked = self._desk.ask(board, limit, **arguments)
        loop = asyncio.get_running_loop()
        job: list[SearchJob] = []

        def stop() -> None:
            self._desk.engine.end(job[0])

        seen = AnalysisResult(stop)

        def tell(info: InfoDict) -> None:
            _later(loop, lambda: seen.post(info))

        def answer(result: SearchResult) -> None:
            best = BestMove(result.best, result.ponder)
            _later(loop, lambda: seen.set_finished(best))

        job.append(await self._begin(asked, tell, answer))
        return seen

    async def _begin(
        self,
        asked: Asked,
        on_info: Callable[[InfoDict], None],
        on_best: Callable[[SearchResult], None],
    ) -> SearchJob:
        """Start in another thread, since the search before has to end first; the search ends if the
        caller is cancelled."""
        beginning = asyncio.ensure_future(
            asyncio.to_thread(self._desk.begin, asked, on_info, on_best)
        )
        try:
            return await asyncio.shield(beginning)
        except asyncio.CancelledError:
            beginning.add_done_callback(self._end_begun)
            raise

    def _end_begun(self, beginning: asyncio.Future[SearchJob]) -> None:
        if not beginning.cancelled() and beginning.exception() is None:
            self._desk.engine.end(beginning.result())

    async def ping(self) -> None:
        """Nothing: the engine is there."""

    async def quit(self) -> None:
        """End the search that goes on; nothing more can be asked."""
        await asyncio.to_thread(self._desk.close)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.quit()


def _later(loop: asyncio.AbstractEventLoop, do: Callable[[], object]) -> None:
    """Call the function in the event loop, unless the loop has been closed."""
    if not loop.is_closed():
        try:
            loop.call_soon_threadsafe(do)
        except RuntimeError:  # closed at this moment
            return
