"""An engine as a player of a match: its process, its moves and its faults."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final, TypeVar

from chess.engine import EngineError, EngineTerminatedError, Limit

from xiangqi.board import Board
from xiangqi.client import (
    IllegalBestMoveError,
    PlayResult,
    XiangqiProtocol,
    open_engine,
    split_command,
)
from xiangqi.core.move import Move
from xiangqi.match.config import EngineConfig
from xiangqi.match.pgn import Fault

__all__ = ["Fault", "FaultError", "OnLine", "Player", "StartError"]

T = TypeVar("T")
OnLine = Callable[[str, str], None]
"""Callback for each line of a dialogue: direction (``<`` from the engine, ``>`` to it) and text."""

START_S: Final = 10.0
"""Seconds for an engine to start or to answer ``isready``."""
GRACE_S: Final = 1.0
"""Seconds for a late engine to answer ``stop``."""
QUIT_S: Final = 1.0
"""Seconds for an engine to exit after ``quit``."""
DEATH_S: Final = 5.0
"""Seconds for a killed process to end, on a busy machine."""
SLACK_S: Final = 0.05
"""Tolerance in seconds before a late engine is stopped."""
START_TRIES: Final = 3
"""Attempts to restart an engine that has run before: the machine may be busy."""
START_PAUSE_S: Final = 0.5


class FaultError(Exception):
    """A player is at fault; ``words`` is a predicate, such as "is late", that follows its name."""

    def __init__(self, fault: Fault, words: str) -> None:
        super().__init__(fault, words)
        self.fault = fault
        self.words = words


class StartError(RuntimeError):
    """An engine does not start or rejects its options; no game can be played."""


class Player:
    """An engine with at most one process, started on demand; ``on_line`` receives the dialogue."""

    def __init__(self, config: EngineConfig, on_line: OnLine | None = None) -> None:
        self.config = config
        self._listener = on_line
        self._engine: XiangqiProtocol | None = None
        self._killed: list[XiangqiProtocol] = []
        """Engines whose processes may not have ended yet."""
        self._go_sent: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        """Done when ``go`` has been sent."""
        self._has_run = False

    # The process

    async def prepare(self) -> None:
        """Start the process, or check that it still responds. Raises StartError."""
        if self.config.restart:
            await self.quit()
        if self._engine is not None:
            try:
                await _within(self._engine, self._engine.ping(), START_S)
            except (EngineError, asyncio.TimeoutError):
                self.kill()
        tries_left = START_TRIES if self._has_run else 1
        while self._engine is None:
            tries_left -= 1
            try:
                self._engine = await self._open()
            except (EngineError, OSError, asyncio.TimeoutError) as error:
                await self.quit(at_once=True)
                if not tries_left:
                    why = str(error) or type(error).__name__
                    raise StartError(f"engine {self.config.name} does not start: {why}") from error
                await asyncio.sleep(START_PAUSE_S)
        self._has_run = True

    async def _open(self) -> XiangqiProtocol:
        config = self.config
        engine = await open_engine(
            [*split_command(config.cmd), *config.args],
            dialect=None if config.proto == "auto" else config.proto,
            timeout=START_S,
            cwd=config.dir or None,
            on_line=self._on_line,
        )
        self._engine = engine
        if config.options:
            await _within(engine, engine.configure(dict(config.options)), START_S)
        await _within(engine, engine.ping(), START_S)
        return engine

    def kill(self) -> None:
        """Kill the process, if any."""
        engine, self._engine = self._engine, None
        if engine is not None:
            engine.kill()
            running = [one for one in self._killed if not one.returncode.done()]
            self._killed = [*running, engine]

    async def quit(self, *, at_once: bool = False) -> None:
        """Send ``quit``, unless ``at_once``, then kill the process if it is still running.

        Processes that have been killed before are waited for as well.
        """
        engine = self._engine
        if engine is not None and not at_once:
            with contextlib.suppress(EngineError, asyncio.TimeoutError):
                await _within(engine, engine.quit(), QUIT_S)
        self.kill()
        killed, self._killed = self._killed, []
        if killed:
            await asyncio.wait({one.returncode for one in killed}, timeout=DEATH_S)

    # A move

    async def play(
        self,
        board: Board,
        limit: Limit,
        *,
        game: object,
        allowed_s: float,
        banned: Sequence[Move] = (),
        draw_offered: bool = False,
    ) -> PlayResult:
        """Request a move.

        ``allowed_s`` is the time limit in seconds from ``go``. ``banned`` moves are sent to engines
        whose protocol supports them. Raises FaultError, after stopping or killing the engine if
        necessary.
        """
        engine = self._engine
        assert engine is not None  # the runner has prepared it
        self._go_sent = asyncio.get_running_loop().create_future()
        listed = banned if engine.can_ban else ()
        task = asyncio.ensure_future(
            engine.play(board, limit, game=game, banned=listed, draw_offered=draw_offered)
        )
        try:
            if not await self._is_answered(task, allowed_s):
                await self._give_up(engine, task, allowed_s)
            return task.result()
        except EngineTerminatedError as error:
            self.kill()
            if not engine.returncode.done():
                raise FaultError(Fault.CLOSED_PIPE, "has closed its output") from error
            code = engine.returncode.result()
            raise FaultError(Fault.CRASH, f"has crashed, with exit code {code}") from error
        except IllegalBestMoveError as error:
            raise FaultError(Fault.ILLEGAL_MOVE, f"plays the illegal {error.text}") from error
        except EngineError as error:
            self.kill()
            raise FaultError(Fault.PROTOCOL, f"cannot be understood: {error}") from error
        finally:
            task.cancel()

    async def _is_answered(self, task: asyncio.Future[PlayResult], allowed_s: float) -> bool:
        """Wait for the move until the time from ``go`` is over; return whether it has come."""
        sent: asyncio.Future[Any] = self._go_sent
        for waited, patience in (({task, sent}, START_S), ({task}, allowed_s + SLACK_S)):
            await asyncio.wait(waited, timeout=patience, return_when=asyncio.FIRST_COMPLETED)
            if task.done():
                return True
            if not sent.done():
                return False
        return False

    async def _give_up(
        self, engine: XiangqiProtocol, task: asyncio.Future[PlayResult], allowed_s: float
    ) -> None:
        """Stop a late engine and raise FaultError: LATE if it still responds, HANG otherwise."""
        late = FaultError(Fault.LATE, f"is late: no move in {allowed_s:.3f} s")
        if engine.dialect == "xboard":  # need not read input while it thinks
            self.kill()
            raise late
        task.cancel()
        try:
            await _within(engine, engine.ping(), GRACE_S)
        except asyncio.TimeoutError:
            self.kill()
            raise FaultError(Fault.HANG, f"hangs: no answer in {allowed_s:.3f} s") from None
        raise late

    def _on_line(self, direction: str, text: str) -> None:
        if direction == ">" and text.startswith("go") and not self._go_sent.done():
            self._go_sent.set_result(None)
        if self._listener is not None:
            self._listener(direction, text)


async def _within(engine: XiangqiProtocol, command: Awaitable[T], patience_s: float) -> T:
    """Await a command; on a timeout kill the engine and raise TimeoutError.

    A command that waits for an earlier one must not be cancelled: it ends with the process.
    """
    task = asyncio.ensure_future(command)
    try:
        await asyncio.wait({task}, timeout=patience_s)
        if not task.done():
            raise asyncio.TimeoutError(f"no answer in {patience_s:g} s")
        return task.result()
    finally:
        if not task.done():
            engine.kill()
            await asyncio.wait({task}, timeout=DEATH_S)
        if task.done() and not task.cancelled():
            task.exception()
