"""Sentences in English and Chinese.

``sentences`` is the table, with ``clauses`` of rule books and ``pages``; ``voice`` names moves,
pieces and squares in the chosen notation. Texts of errors are in :mod:`xiangqi.errors`.
"""

from xiangqi.words.sentences import (
    LANGUAGES,
    SENTENCES,
    Language,
    enumerate_words,
    fill,
    name_piece,
    name_side,
    say,
)

__all__ = [
    "LANGUAGES",
    "SENTENCES",
    "Language",
    "enumerate_words",
    "fill",
    "name_piece",
    "name_side",
    "say",
]
