"""Opening books: the moves they have for a position, with weights and counts.

Read from ``base`` (what every book answers) over ``keys`` and the formats, one file each
(``obk`` and ``pengfei`` on ``tables``, ``eleeye``), to ``opening``, which tells a file's format;
``making``, ``walking``, ``checking`` and ``merging`` are what ``xiangqi book`` does, and
``choosing`` is for who plays from a book.
"""

from xiangqi.books.base import Book, BookMove
from xiangqi.books.opening import open_book

__all__ = ["Book", "BookMove", "open_book"]
