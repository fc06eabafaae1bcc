"""From bytes to lines to text, as programs and files have them.

A line may be anything: CRLF, several blanks, bytes of no encoding or of no end.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import BinaryIO, Final

__all__ = ["LONGEST_LINE", "decode_line", "one_line", "read_lines"]

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


def one_line(text: str) -> str:
    """A text that cannot be taken for more than one line."""
    return " ".join(text.split())
