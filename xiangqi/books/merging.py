"""Making one book of several: weights and counts are added.

The two mirror images of a position have unrelated keys. So the books are gone through from the
usual beginning, and of each position one image is kept, as in a book that is made from games. What
no line leads to is kept as it stands.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import replace

from xiangqi.board import Board
from xiangqi.books.base import Book, BookMove, Row, Visit, walk_book
from xiangqi.books.keys import KeyTable, is_kept, mirror_board, obk_table, turn_right
from xiangqi.core.board import CoreBoard
from xiangqi.core.move import Move

__all__ = ["BookMerger"]


class BookMerger:
    """Collects the rows of several books."""

    def __init__(self, books: Sequence[Book]) -> None:
        self.books = books
        self.rows: list[Row] = []
        """Rows of the new book."""
        self.left_out = 0
        """Rows of books with other keys that no line leads to: nobody knows their positions."""

    def walk(self) -> Iterator[int]:
        """Go through the books; how many rows there are, after each position."""
        seen: dict[KeyTable, set[int]] = {book.table: set() for book in self.books}
        for visit in walk_book(self._find_all, Board()):
            for table, keys in seen.items():
                keys.update(table.keys_of(visit.board.setup()))
            self.rows.extend(_rows_of(visit))
            yield len(self.rows)
        self._take_rest(seen)

    def _take_rest(self, seen: Mapping[KeyTable, Container[int]]) -> None:
        rest: dict[tuple[int, Move], BookMove] = {}
        for book in self.books:
            for key, found in book.rows():
                if key in seen[book.table]:
                    continue
                if book.table is obk_table():
                    known = rest.get((key, found.move))
                    rest[key, found.move] = found if known is None else _add(known, found)
                else:
                    self.left_out += 1
        self.rows.extend(Row(key, found) for (key, _), found in rest.items())

    def _find_all(self, board: CoreBoard) -> list[BookMove]:
        total: dict[Move, BookMove] = {}
        for book in self.books:
            for found in book.find_all(board):
                known = total.get(found.move)
                total[found.move] = found if known is None else _add(known, found)
        return list(total.values())


def _add(one: BookMove, other: BookMove) -> BookMove:
    return BookMove(
        one.move,
        one.weight + other.weight,
        one.wins + other.wins,
        one.draws + other.draws,
        one.losses + other.losses,
        one.note or other.note,
    )


def _rows_of(visit: Visit) -> Iterator[Row]:
    """The legal moves of a position in the image that is kept."""
    setup = visit.board.setup()
    keys, mirrored = obk_table().keys_of(setup), mirror_board(setup.board)
    if setup.board == mirrored:
        best: dict[Move, BookMove] = {}
        for found in visit.legal:
            best.setdefault(turn_right(found.move), found)
        yield from (Row(keys.key, replace(found, move=move)) for move, found in best.items())
    elif is_kept(setup.board, mirrored, keys):
        yield from (Row(keys.key, found) for found in visit.legal)
    else:
        yield from (Row(keys.mirrored, found.mirror()) for found in visit.legal)
