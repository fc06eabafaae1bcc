"""The handshake: which dialect does the engine speak?"""

from __future__ import annotations

import re

from chess.engine import BaseCommand, EngineError

from xiangqi.client.dialects import Dialect
from xiangqi.client.options import Identity
from xiangqi.client.session import Session

__all__ = ["InitializeCommand", "UnknownDialectError"]


class UnknownDialectError(EngineError):
    """The engine has said that it knows none of the dialects that were tried."""


class InitializeCommand(BaseCommand[None]):
    """The handshake: one dialect after the other, until one is answered.

    Where a second one was tried, the first may only have been slow. Then the engine is asked to
    say when it has heard both, and the dialect is that of its last greeting.
    UnknownDialectError if it says of each that it does not know it.
    """

    def __init__(self, engine: Session) -> None:
        super().__init__(engine)
        self.engine = engine
        self._tried: list[tuple[Dialect, Identity]] = []
        self._greeted: tuple[Dialect, Identity] | None = None
        self._refused: set[str] = set()

    def check_initialized(self) -> None:
        """This is the command that comes first."""
        if self.engine.initialized:
            raise EngineError("the engine has been initialized already")

    def start(self) -> None:
        """Try the first dialect."""
        self._try_next()

    def _try_next(self) -> None:
        if not self.engine.untried or self._greeted is not None or self.finished.done():
            return
        dialect = self.engine.untried.pop(0)
        self._tried.append((dialect, Identity()))
        for line in dialect.HELLO:
            self.engine.send_line(line)
        self.engine.loop.call_later(self.engine.probe_seconds, self._try_next)

    def line_received(self, line: str) -> None:
        """A greeting, or a complaint about a word that the engine does not know."""
        if self._greeted is not None and self._greeted[0].is_pong(line):
            self._finish()
        elif "unknown command" in line.lower():
            self._complain(line)
        greetings = [tried for tried in self._tried if tried[0].read_greeting(line, tried[1])]
        for dialect, identity in greetings:
            self._tried = [(tried, Identity()) for tried, _ in self._tried]
            self._greet(dialect, identity)

    def _complain(self, line: str) -> None:
        names = [dialect.NAME for dialect, _ in self._tried]
        self._refused.update(name for name in names if re.search(rf"\b{name}\b", line))
        if self.engine.untried or self._greeted is not None:
            self._try_next()
        elif len(self._refused) == len(names) and not self.result.done():
            why = f"the engine does not know {' or '.join(names)}"
            self.result.set_exception(UnknownDialectError(why))
            self.set_finished()

    def _greet(self, dialect: Dialect, identity: Identity) -> None:
        is_first = self._greeted is None
        self._greeted = (dialect, identity)
        if len(self._tried) == 1:
            self._finish()
        elif is_first:
            self.engine.send_line(dialect.ping(0))

    def _finish(self) -> None:
        assert self._greeted is not None
        if self.result.cancelled():
            self.set_finished()
            return
        self.engine.begin(*self._greeted)
        self.result.set_result(None)
        self.set_finished()

    def cancel(self) -> None:
        """There is nothing to stop."""
        self.set_finished()
