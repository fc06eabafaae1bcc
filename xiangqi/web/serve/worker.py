"""A process that answers questions, and is killed where an answer takes too long.

Files and texts of strangers are read in such processes: a thread cannot be ended, and one regular
expression that runs long would stop all threads of the server.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, Protocol

from xiangqi.errors import Fact, XiangqiError
from xiangqi.web.serve.messages import Refusal

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess

__all__ = ["MAX_SECONDS", "Answerer", "InProcess", "Worker"]

MAX_SECONDS: Final = 20.0
"""Time limit of an answer."""
_PRELOADED: Final = ("xiangqi.web.serve.library", "xiangqi.web.serve.trees")


class Answerer(Protocol):
    """Interface of the code that runs in the process."""

    def answer(self, *question: Any) -> Any:
        """The answer; question and answer can be pickled. Raises XiangqiError."""

    def work_ahead(self) -> bool:
        """Do a little work for later questions; False if there is none left."""


class Worker:
    """Runs an answerer in a process of its own, started with the first question.

    ``make`` makes it there from the arguments, which can be pickled.
    """

    def __init__(
        self, make: Callable[..., Answerer], *arguments: Any, seconds: float | None = None
    ) -> None:
        self._make = make
        self._arguments = arguments
        self._seconds = MAX_SECONDS if seconds is None else seconds
        self._asking = threading.Lock()
        self._process: BaseProcess | None = None
        self._connection: Connection | None = None

    def ask(self, *question: Any) -> Any:
        """The answer to a question.

        Raises the XiangqiError that the answerer raises; Refusal where the answer takes too long or
        the process ends. The next question starts a new process then.
        """
        if not self._asking.acquire(timeout=self._seconds):
            raise self._too_slow()
        try:
            connection = self._start()
            try:
                connection.send(question)
                if not connection.poll(self._seconds):
                    self._end()
                    raise self._too_slow()
                answer, error = connection.recv()
            except (EOFError, OSError) as broken:
                self._end()
                raise Refusal(500, Fact("serve.worker_ended")) from broken
        finally:
            self._asking.release()
        if error is not None:
            raise error
        return answer

    def close(self) -> None:
        """End the process at once, whatever it does."""
        process = self._process
        if process is not None:
            process.kill()

    def close_if_idle(self) -> None:
        """End the process unless it is answering a question."""
        if self._asking.acquire(blocking=False):
            try:
                self._end()
            finally:
                self._asking.release()

    def _too_slow(self) -> Refusal:
        return Refusal(503, Fact("serve.too_slow", seconds=f"{self._seconds:g}"))

    def _start(self) -> Connection:
        """The connection to the process, which is started if there is none."""
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
            ours, theirs = context.Pipe()
            process = context.Process(
                target=_work, args=(theirs, self._make, self._arguments), daemon=True
            )
            process.start()
            theirs.close()
            self._process, self._connection = process, ours
        return self._connection

    def _end(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.join()
        if self._connection is not None:
            self._connection.close()
        self._process = self._connection = None


class InProcess(Worker):
    """Runs an answerer in this process, without a limit of time: a browser has no processes."""

    _answerer: Answerer | None = None

    def ask(self, *question: Any) -> Any:
        """The answer to a question. Raises the XiangqiError that the answerer raises."""
        if self._answerer is None:
            self._answerer = self._make(*self._arguments)
        return self._answerer.answer(*question)


def _work(connection: Connection, make: Callable[..., Answerer], arguments: Any) -> None:
    """Answer questions until the other side of the connection is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the server's affair
    answerer = make(*arguments)
    is_more = True
    with suppress(EOFError, OSError):
        while True:
            while is_more and not connection.poll():
                is_more = answerer.work_ahead()
            question = connection.recv()
            try:
                answer, error = answerer.answer(*question), None
            except XiangqiError as raised:
                answer, error = None, raised
            connection.send((answer, error))
