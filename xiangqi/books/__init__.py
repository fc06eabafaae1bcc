"""Opening books: moves of a position, with weights and counts.

``base`` is the interface of all books, with the choice of a move; ``keys`` hashes positions as the
formats do; ``tables`` (OBK and PengFei, in SQLite), ``eleeye`` and ``lines`` are the formats, and
``opening`` detects them. ``making``, ``checking`` and ``merging`` implement ``xiangqi book``.
"""

from xiangqi.books.base import Book, BookMove
from xiangqi.books.opening import open_book

__all__ = ["Book", "BookMove", "open_book"]
