"""Books as text, read only: ``move weight FEN`` on each line.

    b2e2 1473 rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w
    C3-C4 546 rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1

The text form of ``BOOK.DAT``, which early versions of 象棋巫师 (XQWizard) and its source code have.
Moves are coordinates; empty lines and lines that begin with ``#`` are passed over.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from xiangqi.books.base import Book, BookMove, Row
from xiangqi.books.keys import obk_table
from xiangqi.core.move import Move
from xiangqi.errors import BookError, Fact, FenError, FormatError, InvalidMoveError
from xiangqi.lines import LineReader
from xiangqi.pieces.fen import parse_fen

__all__ = ["LineBook", "is_line_book"]

_LINE: Final = re.compile(
    r"\s*([a-i][0-9]-?[a-i][0-9])\s+([0-9]{1,9})\s+(\S+(?:\s+\S+){0,5})\s*", re.IGNORECASE
)
_MAX_ROWS: Final = 4_000_000


def is_line_book(head: bytes) -> bool:
    """Does a file begin with such a line, behind remarks?"""
    text = head.decode("utf-8-sig", "replace")
    lines = (line for line in text.splitlines() if not _is_remark(line))
    first = next(lines, "")
    parts = first.split()
    return len(parts) > 2 and parts[2].count("/") > 1 and _LINE.match(first) is not None


class LineBook(Book):
    """A book of lines."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, obk_table())
        self._moves: dict[int, list[BookMove]] = {}
        self._count = 0
        with path.open("rb") as file:
            lines = LineReader(file, str(path))
            try:
                for line in lines:
                    if not _is_remark(line):
                        self._add(line, lines.number)
            except FormatError as error:
                found = Fact("both", first=error.place, second=error.why)
                raise BookError(str(path), found, Fact("book.lines")) from error

    def _add(self, line: str, number: int) -> None:
        """Take a line; raises BookError."""
        where = {"line": line, "number": number}
        found = _LINE.fullmatch(line)
        if found is None:
            raise BookError(str(self.path), Fact("book.line", **where), Fact("book.lines"))
        if self._count == _MAX_ROWS:
            raise BookError(
                str(self.path),
                Fact("place.line", line=number),
                Fact("book.most_moves", most=_MAX_ROWS),
            )
        try:
            move = Move.from_iccs(found[1])
            keys = self.table.keys_of(parse_fen(found[3]))
        except (InvalidMoveError, FenError) as error:
            found_line = Fact("book.bad_line", **where, error=error.fact)
            raise BookError(str(self.path), found_line, Fact("book.lines")) from error
        self._moves.setdefault(keys.key, []).append(BookMove(move, int(found[2])))
        self._count += 1

    def entries(self, key: int) -> list[BookMove]:
        """The moves that stand at a key."""
        return self._moves.get(key, [])

    def rows(self) -> Iterator[Row]:
        """All lines."""
        return (Row(key, found) for key, moves in self._moves.items() for found in moves)

    def count(self) -> int:
        """Number of lines."""
        return self._count


def _is_remark(line: str) -> bool:
    return not line.strip() or line.lstrip().startswith("#")
