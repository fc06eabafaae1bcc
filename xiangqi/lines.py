"""Lines in, lines out: what every protocol stands on.

A line may be anything: CRLF, several blanks, bytes of no encoding or of no end.
"""

from __future__ import annotations

import contextlib
import io
import os
import threading
from collections.abc import Callable, Iterator
from typing import BinaryIO, Final

from xiangqi.transcript import HEARD, SAID, Transcript

__all__ = ["LONGEST_LINE", "Output", "decode_line", "one_line", "read_lines"]

LONGEST_LINE: Final = 1 << 20
"""A longer line is no command; a game of 1000 moves takes some 10 kB."""


def read_lines(stream: BinaryIO) -> Iterator[str | None]:
    """The lines of a stream without their ends, until it ends; None for one that is too long."""
    with contextlib.suppress(OSError, ValueError):  # the other end has gone, or we closed it
        while chunk := stream.readline(LONGEST_LINE):
            is_whole = len(chunk) < LONGEST_LINE or chunk.endswith(b"\n")
            while len(chunk) == LONGEST_LINE and not chunk.endswith(b"\n"):
                chunk = stream.readline(LONGEST_LINE)
            yield decode_line(chunk).strip() if is_whole else None


def decode_line(line: bytes) -> str:
    """UTF-8, or what Chinese programs on Windows write; any other byte as its number."""
    for encoding in ("utf-8", "gb18030"):
        with contextlib.suppress(UnicodeDecodeError):
            return line.decode(encoding)
    return line.decode("utf-8", "backslashreplace")


class Output:
    """Writes whole lines from any thread. Where nobody reads any more, it says so just once.

    What is heard and said is noted in ``transcript``; :meth:`heard` is to be told the former.
    ``on_unwritten`` is called with the error if that ends since the file cannot be written.
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


def one_line(text: str) -> str:
    """A text that cannot be taken for more than one line."""
    return " ".join(text.split())
