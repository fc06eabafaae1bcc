"""Opening books: moves of a position, with weights and counts.

``base`` is the interface of all books, with the choice of a move; ``keys`` hashes positions as the
formats do; ``tables`` has OBK and PengFei (SQLite), ``opening`` the other formats and detects them
all. ``making`` (from games and from other books) and ``checking`` implement ``xiangqi book``.
"""

from xiangqi.books.base import Book, BookMove
from xiangqi.books.opening import open_book

__all__ = ["Book", "BookMove", "open_book"]
