"""What is said to people.

The table of ``sentences`` in each language, ``rounds``, and the ``voice`` that tells moves, pieces
and places in the notation that was chosen; what is wrong with positions (``problems``) and texts
(``faults``).
"""

from xiangqi.words.sentences import (
    LANGUAGES,
    SENTENCES,
    Language,
    enumerate_words,
    fill,
    name_piece,
    name_side,
    name_sort,
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
    "name_sort",
    "say",
]
