"""Worker processes, killed when a call takes too long.

They read untrusted files and texts: a thread cannot be killed, and a slow regular expression would
block all threads of the server.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, Protocol

from xiangqi.ground.errors import Fact, XiangqiError
from xiangqi.web.serve.messages import Refusal

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess

__all__ = ["MAX_SECONDS", "Handler", "InProcess", "Worker"]

MAX_SECONDS: Final = 20.0
"""Time limit of a call."""
_PRELOADED: Final = ("xiangqi.web.serve.library", "xiangqi.web.serve.trees")


class Handler(Protocol):
    """Interface of the code that runs in the process."""

    def answer(self, *call: Any) -> Any:
        """Handle a call; arguments and result are pickled. Raises XiangqiError."""

    def work_ahead(self) -> bool:
        """Do a little work for later calls; return False if none is left."""


class Worker:
    """Runs a handler in its own process, started on the first call.

    ``make`` makes the handler there from the arguments, which are pickled.
    """

    def __init__(
        self, make: Callable[..., Handler], *arguments: Any, seconds: float | None = None
    ) -> None:
        self._make = make
        self._arguments = arguments
        self._seconds = MAX_SECONDS if seconds is None else seconds
        self._calling = threading.Lock()
        self._process: BaseProcess | None = None
        self._connection: Connection | None = None

    def call(self, *arguments: Any) -> Any:
        """Call the handler and return its result.

        Raises the handler's XiangqiError; Refusal if the call takes too long or the process ends.
        The next call then starts a new process.
        """
        if not self._calling.acquire(timeout=self._seconds):
            raise self._too_slow()
        try:
            connection = self._start()
            try:
                connection.send(arguments)
                if not connection.poll(self._seconds):
                    self._end()
                    raise self._too_slow()
                answer, error = connection.recv()
            except (EOFError, OSError) as broken:
                self._end()
                raise Refusal(500, Fact("serve.worker_ended")) from broken
        finally:
            self._calling.release()
        if error is not None:
            raise error
        return answer

    def close(self) -> None:
        """Kill the process, even during a call."""
        process = self._process
        if process is not None:
            process.kill()

    def close_if_idle(self) -> None:
        """Kill the process unless it is handling a call."""
        if self._calling.acquire(blocking=False):
            try:
                self._end()
            finally:
                self._calling.release()

    def _too_slow(self) -> Refusal:
        return Refusal(503, Fact("serve.too_slow", seconds=f"{self._seconds:g}"))

    def _start(self) -> Connection:
        """Start the process if necessary; return the connection to it."""
        if self._process is not None and not self._process.is_alive():
            self._end()
        if self._connection is None:
            multiprocessing = import_module("multiprocessing")  # a browser's Python has none
            methods = multiprocessing.get_all_start_methods()
            # A fork of this process would inherit locks that its other threads hold.
            method = "forkserver" if "forkserver" in methods else "spawn"
            context = multiprocessing.get_context(method)
            if method == "forkserver":
                context.set_forkserver_preload(["__main__", *_PRELOADED])
            here, there = context.Pipe()
            process = context.Process(
                target=_work, args=(there, self._make, self._arguments), daemon=True
            )
            process.start()
            there.close()
            self._process, self._connection = process, here
        return self._connection

    def _end(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.join()
        if self._connection is not None:
            self._connection.close()
        self._process = self._connection = None


class InProcess(Worker):
    """Runs a handler in this process, without a time limit: a browser has no processes."""

    _handler: Handler | None = None

    def call(self, *arguments: Any) -> Any:
        """Call the handler and return its result. Raises the handler's XiangqiError."""
        if self._handler is None:
            self._handler = self._make(*self._arguments)
        return self._handler.answer(*arguments)


def _work(connection: Connection, make: Callable[..., Handler], arguments: Any) -> None:
    """Handle calls until the connection is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server handles Ctrl-C
    handler = make(*arguments)
    has_work = True
    with suppress(EOFError, OSError):
        while True:
            while has_work and not connection.poll():
                has_work = handler.work_ahead()
            call = connection.recv()
            try:
                answer, error = handler.answer(*call), None
            except XiangqiError as raised:
                answer, error = None, raised
            connection.send((answer, error))
