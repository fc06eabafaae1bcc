"""A conversation with an engine line by line, for those who want to see what it really says.

There is no protocol in it: lines are sent, lines are heard, and every wait has an end.
"""

from __future__ import annotations

import contextlib
import queue
import subprocess
import threading
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from chess.engine import EngineError

from xiangqi.client.process import kill_group, launch_options
from xiangqi.lines import MAX_LINE_LENGTH, decode_known, decode_line

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = ["NoAnswerError", "Transcript"]

MAX_LINES: Final = 20_000
"""An engine that says more than this without coming to the point will not come to it."""


class NoAnswerError(EngineError):
    """The expected answer did not arrive; the message says how the wait ended."""


class Transcript:
    """One engine process and all that has been said, to be used with ``with``.

    ``patience`` is how long an answer may take, in seconds. Raises EngineError if there is no
    such program.
    """

    def __init__(self, command: str | Sequence[str], patience: float = 10.0) -> None:
        words, options = launch_options(command)
        self.patience = patience
        self.transcript: list[str] = []
        """Dialogue, with ``>`` before our lines and ``<`` before the engine's."""
        self.unreadable: bytes | None = None
        """A line in no encoding that is known."""
        self._process = subprocess.Popen(
            words,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            **options,
        )
        self._lines: queue.Queue[str | None] = queue.Queue(maxsize=1000)
        self.has_ended = False
        """Has everything been heard that the engine will ever say?"""
        self._is_closed = False
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        with contextlib.suppress(OSError, ValueError):
            while not self._is_closed and (line := self._process.stdout.readline(MAX_LINE_LENGTH)):
                if decode_known(line) is None:
                    self.unreadable = line
                self._put(decode_line(line).rstrip("\r\n"))
        self._put(None)

    def _put(self, line: str | None) -> None:
        """Deliver a line; the engine blocks until it is taken."""
        while not self._is_closed:
            with contextlib.suppress(queue.Full):
                self._lines.put(line, timeout=0.1)
                return

    def send(self, *lines: str, end: str = "\n") -> None:
        """Say some lines; raises NoAnswerError if the engine does not listen any more."""
        assert self._process.stdin is not None
        for line in lines:
            self.transcript.append(f"> {line}")
            try:
                self._process.stdin.write(f"{line}{end}".encode())
                self._process.stdin.flush()
            except OSError as error:
                raise NoAnswerError(f"the engine has gone before {line!r}") from error

    def close_input(self) -> None:
        """Say nothing more."""
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):
            self._process.stdin.close()

    def hear_until(
        self, is_last: Callable[[str], object], wanted: str, within: float | None = None
    ) -> list[str]:
        """The lines up to the first that ``is_last``, with it.

        Raises NoAnswerError, which names what was ``wanted``, if it has not come ``within`` so
        many seconds.
        """
        seconds = self.patience if within is None else within
        end = time.perf_counter() + seconds
        heard: list[str] = []
        while len(heard) < MAX_LINES:
            try:
                line = self._lines.get(timeout=max(0.0, end - time.perf_counter()))
            except queue.Empty:
                raise NoAnswerError(f"no {wanted} within {seconds:g} seconds") from None
            if line is None:
                self.has_ended = True
                raise NoAnswerError(f"the engine ended instead of saying {wanted}")
            self.transcript.append(f"< {line}")
            heard.append(line)
            if is_last(line):
                return heard
        raise NoAnswerError(f"no {wanted} among {MAX_LINES} lines")

    def hear_for(self, seconds: float) -> list[str]:
        """The lines of the next seconds, or of all the time that the engine has left."""
        count = len(self.transcript)
        with contextlib.suppress(NoAnswerError):
            self.hear_until(lambda line: False, "end", within=seconds)
        return [line.removeprefix("< ") for line in self.transcript[count:]]

    def wait_for_end(self) -> tuple[int, list[str]]:
        """The exit code, and what is said until then; raises NoAnswerError."""
        lines = self.hear_for(self.patience)
        try:
            return self._process.wait(0.5), lines
        except subprocess.TimeoutExpired:
            why = f"the engine does not end within {self.patience:g} seconds"
            raise NoAnswerError(why) from None

    def close(self) -> None:
        """End the engine, whatever it does."""
        self._is_closed = True
        kill_group(self._process.pid)
        self._process.wait()
        self._reader.join()
        self.close_input()
        assert self._process.stdout is not None
        self._process.stdout.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
