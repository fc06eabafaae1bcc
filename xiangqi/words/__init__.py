"""Sentences for people, in English and Chinese.

``sentences`` is the table of sentences, ``rounds`` counts moves, ``voice`` names moves, pieces and
squares in the chosen notation; ``problems`` describes impossible positions, ``faults`` unreadable
texts.
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
