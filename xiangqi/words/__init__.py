"""Words for sides, pieces and lists; ``voice`` names moves, pieces and squares in a notation.

The sentences are in :mod:`xiangqi.ground.texts`.
"""

from __future__ import annotations

from collections.abc import Sequence

from xiangqi.ground.texts import Language, say, text_of
from xiangqi.pieces import RED, Color, Piece, Square, require_color, square_name

__all__ = ["enumerate_words", "name_piece", "name_side"]


def enumerate_words(language: Language, words: Sequence[str]) -> str:
    """Join words with commas and a conjunction.

    >>> enumerate_words("en", ["1", "3", "5"]), enumerate_words("zh", ["1", "3", "5"])
    ('1, 3 and 5', '1、3、5')
    """
    *others, last = words
    if not others:
        return last
    return text_of(language, "list_comma").join(others) + text_of(language, "list_and") + last


def name_side(language: Language, color: Color) -> str:
    """Name a side: Red, 红方."""
    return text_of(language, "side_red" if require_color(color) == RED else "side_black")


def name_piece(language: Language, piece: Piece, square: Square) -> str:
    """Name a piece with its square.

    >>> name_piece("en", Piece.from_symbol("h"), 2), name_piece("zh", Piece.from_symbol("h"), 2)
    ('black horse on c0', 'c0的黑马')
    """
    return say(language, "on", piece=piece.say(language), square=square_name(square))
