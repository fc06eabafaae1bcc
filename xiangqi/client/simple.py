"""Synchronous interface of engines, for programs without an event loop."""

from __future__ import annotations

import asyncio
import concurrent.futures
import threading
from collections.abc import Callable, Coroutine, Sequence
from typing import TYPE_CHECKING, Any, TypeVar, cast, overload

import chess.engine
from chess.engine import SimpleAnalysisResult

from xiangqi.board import Board
from xiangqi.client.process import LineListener
from xiangqi.client.protocol import XiangqiProtocol, open_engine
from xiangqi.errors.copies import NotCopied
from xiangqi.scores import AnyAnalysis, InfoDict, Limit, PlayResult, require_end

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = ["SimpleEngine"]

T = TypeVar("T")


class SimpleEngine(NotCopied, chess.engine.SimpleEngine):
    """An engine driven from a thread of its own; call ``close`` at the end, or use ``with``.

    Commands and their arguments are those of :class:`~xiangqi.client.protocol.XiangqiProtocol`. A
    command that takes more than ``timeout`` seconds raises TimeoutError; a search may take
    ``limit.time`` in addition, and any time if that is None.

    >>> import sys
    >>> from xiangqi import Board
    >>> with SimpleEngine.popen([sys.executable, "-m", "xiangqi", "engine"]) as engine:
    ...     engine.play(Board("4k4/R8/9/9/9/9/9/1R7/9/3K5 w"), Limit(depth=2)).move
    Move.from_iccs('b2b9')
    """

    HOLDS = "a running engine"

    protocol: XiangqiProtocol

    @classmethod
    def popen(  # type: ignore[override]
        cls,
        command: str | Sequence[str],
        *,
        dialect: str | None = None,
        timeout: float = 10.0,
        cwd: str | None = None,
        on_line: LineListener | None = None,
    ) -> Self:
        """Start an engine as :func:`~xiangqi.client.protocol.open_engine` does."""
        opened: concurrent.futures.Future[Self] = concurrent.futures.Future()

        async def live() -> None:
            protocol = await open_engine(
                command, dialect=dialect, timeout=timeout, cwd=cwd, on_line=on_line
            )
            assert protocol.transport is not None
            engine = cls(protocol.transport, protocol, timeout=timeout)
            opened.set_result(engine)
            try:
                engine.returncode.set_result(await protocol.returncode)
            finally:
                engine.close()
            await engine.shutdown_event.wait()

        def run() -> None:
            try:
                asyncio.run(live())
            except BaseException as error:
                if opened.done():
                    raise
                opened.set_exception(error)

        threading.Thread(target=run, name=f"SimpleEngine {command!r}", daemon=True).start()
        return opened.result()

    @classmethod
    def popen_uci(cls, command: str | Sequence[str], **arguments: Any) -> Self:
        """Start a UCI engine; ``arguments`` are those of :meth:`popen`."""
        return cls.popen(command, dialect="uci", **arguments)

    @classmethod
    def popen_ucci(cls, command: str | Sequence[str], **arguments: Any) -> Self:
        """Start a UCCI engine; ``arguments`` are those of :meth:`popen`."""
        return cls.popen(command, dialect="ucci", **arguments)

    @classmethod
    def popen_xboard(cls, command: str | Sequence[str], **arguments: Any) -> Self:
        """Start an XBoard engine; ``arguments`` are those of :meth:`popen`."""
        return cls.popen(command, dialect="xboard", **arguments)

    def __enter__(self) -> Self:
        return self

    @property
    def dialect(self) -> str:
        """Protocol of the engine."""
        return self.protocol.dialect

    @property
    def can_ban(self) -> bool:
        """Can the engine be forbidden single moves?"""
        return self.protocol.can_ban

    def play(self, board: Board, limit: Limit, **arguments: Any) -> PlayResult:  # type: ignore[override]
        """Search for a move; see :meth:`XiangqiProtocol.play`."""
        require_end(limit, board)
        return self._wait(lambda: self.protocol.play(board, limit, **arguments), limit)

    @overload  # type: ignore[override]
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
        """Search, wait, and return the last info, or a list of infos if ``multipv`` is given."""
        require_end(limit, board)
        return self._wait(
            lambda: self.protocol.analyse(board, limit, multipv=multipv, **arguments), limit
        )

    def analysis(  # type: ignore[override]
        self, board: Board, limit: Limit | None = None, **arguments: Any
    ) -> AnyAnalysis:
        """Start a search, without a limit until stopped, and iterate over its info."""
        analysis = self._wait(
            lambda: self.protocol.analysis(board, limit, **arguments), Limit(time=0)
        )
        return cast(AnyAnalysis, SimpleAnalysisResult(self, analysis))

    def _wait(self, begin: Callable[[], Coroutine[Any, Any, T]], limit: Limit) -> T:
        """Execute a command, and return its result; raises EngineTerminatedError if closed."""
        with self._not_shut_down():
            task = asyncio.wait_for(begin(), self._timeout_for(limit))
            future = asyncio.run_coroutine_threadsafe(task, self.protocol.loop)
        return future.result()
