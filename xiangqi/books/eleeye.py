"""``BOOK.DAT`` of ElephantEye and 象棋巫师 (XQWizard), read only.

The file is sorted records of eight bytes: the key (32 bits), the move (the square it comes from,
and 256 times that it goes to) and the weight, all little-endian (``BookStruct`` in eleeye/book.h of
https://github.com/xqbase/eleeye). It has no counts and no notes, and no name of its own at the
beginning: the order of its keys is what it is known by.
"""

from __future__ import annotations

import bisect
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from xiangqi.books.base import Book, BookMove, Row
from xiangqi.books.keys import eleeye_table, read_square
from xiangqi.errors import BookError, Fact

__all__ = ["EleeyeBook"]

_RECORD: Final = struct.Struct("<IHH")
_MAX_BYTES: Final = 1 << 28
"""ElephantEye's own book has 96,648."""


class EleeyeBook(Book):
    """A book of ElephantEye."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, eleeye_table())
        with path.open("rb") as file:
            data = file.read(_MAX_BYTES + 1)
        if not data or len(data) % _RECORD.size or len(data) > _MAX_BYTES:
            expected = Fact("book.records", size=_RECORD.size, most=_MAX_BYTES)
            raise BookError(str(path), Fact("bytes", count=len(data)), expected)
        self._records = list(_RECORD.iter_unpack(data))
        self._keys = [key for key, _, _ in self._records]
        for number, (key, following) in enumerate(zip(self._keys, self._keys[1:], strict=False), 1):
            if following < key:
                keys = {"key": f"{key:08X}", "following": f"{following:08X}"}
                found = Fact("book.order", **keys, number=number + 1)
                raise BookError(str(path), found, Fact("book.sorted"))

    def entries(self, key: int) -> list[BookMove]:
        """The moves that stand at a key."""
        start, end = bisect.bisect_left(self._keys, key), bisect.bisect_right(self._keys, key)
        return [row.found for row in self._read(start, end)]

    def rows(self) -> Iterator[Row]:
        """All records that hold a move."""
        return self._read(0, len(self._records))

    def count(self) -> int:
        """Number of records."""
        return len(self._records)

    def _read(self, start: int, end: int) -> Iterator[Row]:
        for key, code, weight in self._records[start:end]:
            move = read_square(code & 255, code >> 8)
            if move is not None:
                yield Row(key, BookMove(move, weight))
