"""Opening books: the moves of a position, with weights and counts.

``base`` has the interface of all books and the choice of a move, ``keys`` the position hashes of
the formats, ``tables`` the SQLite formats OBK and PengFei, ``opening`` the other formats and the
detection of all. ``names`` names openings, ``own_games`` has the package's own games, by position.
``making`` (from games, or by merging books) and ``checking`` implement ``xiangqi book``.
"""

from xiangqi.books.base import Book, BookMove
from xiangqi.books.opening import open_book

__all__ = ["Book", "BookMove", "open_book"]
