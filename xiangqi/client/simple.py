"""Synchronous interface of engines, for programs without an event loop."""

from __future__ import annotations

import asyncio
import contextlib
import threading
import warnings
import weakref
from collections.abc import Callable, Coroutine, Mapping, Sequence
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, TypeVar, cast, overload

import chess.engine
from chess.engine import SimpleAnalysisResult

from xiangqi.board import Board
from xiangqi.board.scores import AnyAnalysis, InfoDict, Limit, PlayResult, require_end
from xiangqi.client.process import LineListener
from xiangqi.client.protocol import XiangqiProtocol, open_engine
from xiangqi.ground.errors import Fact, quote
from xiangqi.ground.errors.copies import NotCopied

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = ["SimpleEngine"]

T = TypeVar("T")


class SimpleEngine(NotCopied, chess.engine.SimpleEngine):
    """An engine driven from a thread of its own; call ``close`` at the end, or use ``with``.

    Commands and their arguments are those of :class:`~xiangqi.client.protocol.XiangqiProtocol`. A
    command that takes more than ``timeout`` seconds raises asyncio.TimeoutError, which names the
    engine and the line that it has not answered; a search may take ``limit.time`` in addition, and
    any time if that is None. An engine that is dropped without ``close`` is ended, with a
    ResourceWarning.

    >>> import sys
    >>> from xiangqi import Board
    >>> with SimpleEngine.popen([sys.executable, "-m", "xiangqi", "engine"]) as engine:
    ...     engine.play(Board("4k4/R8/9/9/9/9/9/1R7/9/3K5 w"), Limit(depth=2)).move
    Move.from_iccs('b2b9')
    """

    HOLDS = "a running engine"

    protocol: XiangqiProtocol
    _command: str | Sequence[str] = ""

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
        opened: SimpleQueue[Self | BaseException] = SimpleQueue()
        is_open = threading.Event()

        async def live() -> None:
            # The thread keeps no reference to the engine, so that one that is dropped is collected.
            protocol = await open_engine(
                command, dialect=dialect, timeout=timeout, cwd=cwd, on_line=on_line
            )
            assert protocol.transport is not None
            engine = cls(protocol.transport, protocol, timeout=timeout)
            engine._command = command
            returncode, is_shut_down = engine.returncode, engine.shutdown_event
            reference = weakref.ref(engine)
            is_open.set()
            opened.put(engine)
            del engine
            returncode.set_result(await protocol.returncode)
            ended = reference()
            if ended is not None:
                ended.close()
                del ended
                await is_shut_down.wait()

        def run() -> None:
            try:
                asyncio.run(live())
            except BaseException as error:
                if is_open.is_set():
                    raise
                opened.put(error)

        threading.Thread(target=run, name=f"SimpleEngine {command!r}", daemon=True).start()
        found = opened.get()
        if isinstance(found, BaseException):
            raise found
        return found

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

    def __del__(self) -> None:
        if not getattr(self, "_shutdown", True):
            what = f"{self._describe()} was not closed"
            warnings.warn(what, ResourceWarning, stacklevel=2, source=self)
            with contextlib.suppress(RuntimeError):  # its event loop has ended with the program
                self.close()

    def _describe(self) -> str:
        return f"engine {quote(self.protocol.id.get('name') or self._command)}"

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
        seconds = self._timeout_for(limit)
        return self._wait(lambda: self.protocol.play(board, limit, **arguments), seconds)

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
            lambda: self.protocol.analyse(board, limit, multipv=multipv, **arguments),
            self._timeout_for(limit),
        )

    def analysis(  # type: ignore[override]
        self, board: Board, limit: Limit | None = None, **arguments: Any
    ) -> AnyAnalysis:
        """Start a search, without a limit until stopped, and iterate over its info."""
        analysis = self._wait(
            lambda: self.protocol.analysis(board, limit, **arguments), self.timeout
        )
        return cast(AnyAnalysis, SimpleAnalysisResult(self, analysis))

    def configure(self, options: Mapping[str, Any]) -> None:
        """Set options permanently; None presses a button."""
        self._wait(lambda: self.protocol.configure(options), self.timeout)

    def ping(self) -> None:
        """Wait until the engine has processed all commands."""
        self._wait(lambda: self.protocol.ping(), self.timeout)

    def _wait(self, begin: Callable[[], Coroutine[Any, Any, T]], seconds: float | None) -> T:
        """Execute a command, and return its result; raises EngineTerminatedError if closed."""
        with self._not_shut_down():
            answer = self._answer(begin(), seconds)
            future = asyncio.run_coroutine_threadsafe(answer, self.protocol.loop)
        return future.result()

    async def _answer(self, command: Coroutine[Any, Any, T], seconds: float | None) -> T:
        """Wait for a command; raise asyncio.TimeoutError with the line that was not answered."""
        if seconds is None:
            return await command
        unanswered = ""

        def remember() -> None:
            nonlocal unanswered
            unanswered = self.protocol.last_line  # before that of the cancellation

        timer = self.protocol.loop.call_later(seconds, remember)
        try:
            return await asyncio.wait_for(command, seconds)
        except asyncio.TimeoutError:
            engine, time = self._describe(), f"{seconds:g}"
            why = Fact("driver.timeout", engine=engine, line=unanswered, seconds=time)
            raise asyncio.TimeoutError(why) from None
        finally:
            timer.cancel()
