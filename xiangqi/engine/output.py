"""Output of the engine, a line at a time."""

from __future__ import annotations

import contextlib
import io
import os
import threading
from collections.abc import Callable
from typing import BinaryIO

from xiangqi.engine.transcript import HEARD, SAID, Transcript

__all__ = ["Output"]


class Output:
    """Writes whole lines from any thread. A closed pipe is reported once.

    Input and output are recorded in ``transcript``; call :meth:`heard` with each input line.
    ``on_unwritten`` is called with the error if the file of the transcript cannot be written.
    """

    def __init__(self, stream: BinaryIO, on_closed: Callable[[], object] = lambda: None) -> None:
        self.is_closed = False
        self.transcript = Transcript()
        self.on_unwritten: Callable[[OSError], object] = lambda error: None
        self._stream = stream
        self.on_closed = on_closed
        self._lock = threading.Lock()

    def send(self, *lines: str) -> None:
        """Write lines and flush."""
        data = "".join(f"{line}\n" for line in lines).encode("utf-8", "backslashreplace")
        with self._lock:
            if self.is_closed:
                return
            error = self.transcript.note(SAID, lines)
            try:
                self._stream.write(data)
                self._stream.flush()
                closes = False
            except (OSError, ValueError):
                closes = self.is_closed = True
        if closes:
            self.on_closed()
        elif error is not None:
            self.on_unwritten(error)

    def heard(self, line: str) -> None:
        """Note a line from the other end."""
        error = self.transcript.note(HEARD, [line])
        if error is not None:
            self.on_unwritten(error)

    def discard(self) -> None:
        """Lead what a closed pipe has left in the buffer to where writing it does no harm."""
        with contextlib.suppress(OSError, ValueError, io.UnsupportedOperation):
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, self._stream.fileno())
            os.close(nowhere)
