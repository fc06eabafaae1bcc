"""Opening a book of any format, detected by its content."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from xiangqi.books.base import Book
from xiangqi.books.lines import LineBook, is_line_book
from xiangqi.errors import BookError, Fact, FormatError, quote_bytes, reason_of

if TYPE_CHECKING:
    from xiangqi.books.tables import TableBook

__all__ = ["WRITABLE", "find_writer", "is_book", "open_book"]

_SQLITE: Final = b"SQLite format 3\0"
_HEAD: Final = 4096

WRITABLE: Final = (".obk", ".pfbook")
"""File suffixes of books that can be written."""


def open_book(path: str | Path) -> Book:
    """Open an opening book: OBK, PengFei, ``BOOK.DAT``, or lines of text.

    Raises BookError, with what was found in place of a book.
    """
    path = Path(path)
    try:
        if not path.is_file():
            raise BookError(str(path), Fact("no_file"), Fact("book.any"))
        with path.open("rb") as file:
            head = file.read(_HEAD)
        if head.startswith(_SQLITE):
            return _open_table(path)
        return LineBook(path) if is_line_book(head) else _open_records(path, head[:16])
    except BookError:
        raise
    except (OSError, ValueError) as error:  # a ValueError for a path with a zero byte
        found = Fact("failure", why=reason_of(error))
        raise BookError(str(path), found, Fact("book.any")) from error


def is_book(path: Path, head: bytes) -> bool:
    """Does a file that begins so look like a book? A binary ``BOOK.DAT`` is known by its name."""
    return head.startswith(_SQLITE) or path.suffix.lower() == ".dat" or is_line_book(head)


def _open_records(path: Path, head: bytes) -> Book:
    """Open a ``BOOK.DAT``. Its faults are reported only if the name says that it is one."""
    from xiangqi.books.eleeye import EleeyeBook

    try:
        return EleeyeBook(path)
    except BookError as error:
        if path.suffix.lower() == ".dat":
            raise
        found = Fact("beginning", found=quote_bytes(head)) if head else Fact("book.empty")
        raise BookError(str(path), found, Fact("book.any")) from error


def _open_table(path: Path) -> Book:
    """SQLite is loaded only for books that need it."""
    from xiangqi.books.tables import ObkBook, PengFeiBook, has_table

    for kind in (ObkBook, PengFeiBook):
        if has_table(path, kind.TABLE):
            return kind(path)
    raise BookError(str(path), Fact("book.no_table"), Fact("book.any"))


def find_writer(path: Path) -> type[TableBook]:
    """Format by the suffix of a new book's name; raises FormatError."""
    from xiangqi.books.tables import ObkBook, PengFeiBook

    writers = dict(zip(WRITABLE, (ObkBook, PengFeiBook), strict=True))
    found = writers.get(path.suffix.lower())
    if found is None:
        raise FormatError(str(path), "", Fact("file.suffix", names=" or ".join(WRITABLE)))
    return found
