"""Opening a book of any format, detected by its content, and the read-only formats.

Text books, the source form of ``BOOK.DAT``, are from early versions of 象棋巫师 (XQWizard). A line
is ``move weight FEN``, with the move in coordinates. Empty lines and lines that begin with ``#``
are skipped.

    b2e2 1473 rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w
    C3-C4 546 rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1

``BOOK.DAT`` of ElephantEye and 象棋巫师 has records of eight bytes, sorted by key: the key (32
bits), the move (from-square + 256 * to-square) and the weight (16 bits each), little-endian
(``BookStruct`` in eleeye/book.h of https://github.com/xqbase/eleeye). It has no counts, notes or
magic number; it is recognised by the order of its keys.
"""

from __future__ import annotations

import bisect
import re
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

from xiangqi.books.base import Book, BookMove, Row
from xiangqi.books.keys import eleeye_table, obk_table, read_square
from xiangqi.core.move import Move
from xiangqi.ground.errors import (
    BookError,
    Fact,
    FenError,
    FormatError,
    InvalidMoveError,
    quote_bytes,
    reason_of,
)
from xiangqi.ground.lines import LineReader
from xiangqi.pieces.fen import parse_fen

if TYPE_CHECKING:
    from xiangqi.books.tables import TableBook

__all__ = [
    "WRITABLE",
    "EleeyeBook",
    "LineBook",
    "find_writer",
    "is_book",
    "is_line_book",
    "open_book",
]

_LINE: Final = re.compile(
    r"\s*([a-i][0-9]-?[a-i][0-9])\s+([0-9]{1,9})\s+(\S+(?:\s+\S+){0,5})\s*", re.IGNORECASE
)
_MAX_ROWS: Final = 4_000_000


def is_line_book(head: bytes) -> bool:
    """Is the first line of a file, after comments, a line of a text book?"""
    text = head.decode("utf-8-sig", "replace")
    first = next((line for line in text.splitlines() if not _is_comment(line)), "")
    parts = first.split()
    return len(parts) > 2 and parts[2].count("/") > 1 and _LINE.match(first) is not None


class LineBook(Book):
    """A text book."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, obk_table())
        self._moves: dict[int, list[BookMove]] = {}
        self._count = 0
        with path.open("rb") as file:
            lines = LineReader(file, str(path))
            try:
                for line in lines:
                    if not _is_comment(line):
                        self._add(line, lines.number)
            except FormatError as error:
                found = Fact("both", first=error.place, second=error.why)
                raise BookError(str(path), found, Fact("book.lines")) from error

    def _add(self, line: str, number: int) -> None:
        where = {"line": line, "number": number}
        found = _LINE.fullmatch(line)
        if found is None:
            raise BookError(str(self.path), Fact("book.line", **where), Fact("book.lines"))
        if self._count == _MAX_ROWS:
            expected = Fact("book.most_moves", most=_MAX_ROWS)
            raise BookError(str(self.path), Fact("place.line", line=number), expected)
        try:
            move = Move.from_iccs(found[1])
            keys = self.table.keys_of(parse_fen(found[3]))
        except (InvalidMoveError, FenError) as error:
            found_line = Fact("book.bad_line", **where, error=error.fact)
            raise BookError(str(self.path), found_line, Fact("book.lines")) from error
        self._moves.setdefault(keys.key, []).append(BookMove(move, int(found[2])))
        self._count += 1

    def entries(self, key: int) -> list[BookMove]:
        return self._moves.get(key, [])

    def rows(self) -> Iterator[Row]:
        return (Row(key, found) for key, moves in self._moves.items() for found in moves)

    def count(self) -> int:
        return self._count


def _is_comment(line: str) -> bool:
    return not line.strip() or line.lstrip().startswith("#")


_RECORD: Final = struct.Struct("<IHH")
_MAX_BYTES: Final = 1 << 28
"""Maximum size of a book in bytes; ElephantEye's own has 96,648."""


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
        start, end = bisect.bisect_left(self._keys, key), bisect.bisect_right(self._keys, key)
        return [row.found for row in self._read(start, end)]

    def rows(self) -> Iterator[Row]:
        """Iterate over all records that hold a move."""
        return self._read(0, len(self._records))

    def count(self) -> int:
        return len(self._records)

    def _read(self, start: int, end: int) -> Iterator[Row]:
        for key, code, weight in self._records[start:end]:
            move = read_square(code & 255, code >> 8)
            if move is not None:
                yield Row(key, BookMove(move, weight))


_SQLITE: Final = b"SQLite format 3\0"
_HEAD: Final = 4096

WRITABLE: Final = (".obk", ".pfbook")
"""File suffixes of books that can be written."""


def open_book(path: str | Path) -> Book:
    """Open an opening book: OBK, PengFei, ``BOOK.DAT``, or a text book.

    Raises BookError for a missing or unreadable file, and for one that is no book.
    """
    path = Path(path)
    try:
        if not path.is_file():
            raise BookError(str(path), Fact("no_file"), Fact("book.any"))
        with path.open("rb") as file:
            head = file.read(_HEAD)
        if head.startswith(_SQLITE):
            from xiangqi.books.tables import ObkBook, PengFeiBook, has_table

            for kind in (ObkBook, PengFeiBook):
                if has_table(path, kind.TABLE):
                    return kind(path)
            raise BookError(str(path), Fact("book.no_table"), Fact("book.any"))
        return LineBook(path) if is_line_book(head) else _open_records(path, head[:16])
    except BookError:
        raise
    except (OSError, ValueError) as error:  # a ValueError for a path with a zero byte
        found = Fact("failure", why=reason_of(error))
        raise BookError(str(path), found, Fact("book.any")) from error


def is_book(path: Path, head: bytes) -> bool:
    """Does a file with this beginning look like a book? A binary ``BOOK.DAT`` is recognised by its
    name."""
    return head.startswith(_SQLITE) or path.suffix.lower() == ".dat" or is_line_book(head)


def _open_records(path: Path, head: bytes) -> Book:
    """Open a ``BOOK.DAT``; an invalid file without the suffix ``.dat`` is reported as no book."""
    try:
        return EleeyeBook(path)
    except BookError as error:
        if path.suffix.lower() == ".dat":
            raise
        found = Fact("beginning", found=quote_bytes(head)) if head else Fact("book.empty")
        raise BookError(str(path), found, Fact("book.any")) from error


def find_writer(path: Path) -> type[TableBook]:
    """Choose the format of a new book by its suffix; raises FormatError."""
    from xiangqi.books.tables import ObkBook, PengFeiBook

    writers = dict(zip(WRITABLE, (ObkBook, PengFeiBook), strict=True))
    writer = writers.get(path.suffix.lower())
    if writer is None:
        raise FormatError(str(path), "", Fact("file.suffix", names=" or ".join(WRITABLE)))
    return writer
