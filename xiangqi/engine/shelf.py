"""The opening books that the engine plays from.

Nothing of them is imported before one is named.
"""

from __future__ import annotations

from collections.abc import Collection
from random import Random
from typing import TYPE_CHECKING, Final

from xiangqi.board import Board
from xiangqi.core.move import Move
from xiangqi.referee.rules import RuleSet

if TYPE_CHECKING:
    from xiangqi.books import Book, BookMove

__all__ = ["Shelf"]

_SEPARATOR: Final = ";"
"""Between the names of books, as UCCI has it."""


class Shelf:
    """Books in an order: the first that has moves for a position is asked."""

    def __init__(self) -> None:
        self._books: list[Book] = []
        self._random = Random()

    def open(self, names: str) -> None:
        """Take these books in place of the ones before.

        Raises BookError for a file that is none; the ones before stay then.
        """
        from xiangqi.books import open_book

        opened: list[Book] = []
        try:
            for name in filter(None, map(str.strip, names.split(_SEPARATOR))):
                opened.append(open_book(name))
        except BaseException:
            _close(opened)
            raise
        self.close()
        self._books = opened

    def close(self) -> None:
        """Put all books away."""
        _close(self._books)
        self._books = []

    def seed(self, number: int) -> None:
        """Seed the random choice of moves; 0 for a new seed each time."""
        self._random = Random(number or None)

    def find(self, board: Board) -> list[BookMove]:
        """The moves for a position, the heaviest first; raises BookError for a damaged file."""
        return next((found for book in self._books if (found := book.find(board))), [])

    def choose(self, board: Board, allowed: Collection[Move], rules: RuleSet) -> BookMove | None:
        """A move to play at once, or None if that is for a search to find.

        Raises BookError for a damaged file.
        """
        if not self._books:
            return None
        from xiangqi.books.choosing import choose_move, is_playable

        moves = [found for found in self.find(board) if found.move in allowed]
        return choose_move((one for one in moves if is_playable(board, one, rules)), self._random)


def _close(books: list[Book]) -> None:
    for book in books:
        book.close()
