"""Round numbers and colours in the moves of a record: who moves first, and what is missing.

A record shows the side to move in several ways: by round numbers (``1...`` before a move of
Black), by Chinese numerals for Red and digits for Black, by the case of letters, and by characters
that only one side's pieces have. A way in which both sides write alike shows nothing.

>>> sides_of(["马8进7", "炮二平五"]), sides_of(["马8进7", "车9平8"])
([False, True], [None, None])
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from xiangqi.games.formats.phrases import number_of
from xiangqi.notation import is_coordinates
from xiangqi.pieces import BLACK, RED, Color

__all__ = ["Mark", "moves_first", "parse_mark", "sides_of"]


class Mark(NamedTuple):
    """Round number before a move."""

    number: int
    """0 for dots alone."""
    is_black: bool
    """Do dots after the number show a move of Black?"""


_DOTS: Final = re.compile(r"…|\.\s*\.|。\s*。")


@lru_cache(maxsize=8192)
def parse_mark(text: str) -> Mark:
    """Parse a round number with its punctuation: ``1.``, ``1...``, ``1. ……``, ``第一回合``."""
    return Mark(number_of(text), _DOTS.search(text) is not None)


_NUMERALS: Final = re.compile("[一二三四五六七八九]")
_DIGITS: Final = re.compile("[1-9１-９]")
_OWN_CHARACTERS: Final = {RED: "兵相仕帅帥俥傌", BLACK: "卒象士将將"}


@lru_cache(maxsize=8192)
def _side_by_numerals(text: str) -> Color | None:
    if text.isascii():
        return None
    has_numeral, has_digit = _NUMERALS.search(text), _DIGITS.search(text)
    return None if bool(has_numeral) == bool(has_digit) else has_numeral is not None


@lru_cache(maxsize=8192)
def _side_by_case(text: str) -> Color | None:
    letter = next((sign for sign in text if sign.isalpha()), "")
    if not letter.isascii() or not letter or is_coordinates(text):
        return None
    return letter.isupper()


@lru_cache(maxsize=8192)
def _side_by_character(text: str) -> Color | None:
    for color, characters in _OWN_CHARACTERS.items():
        if any(sign in characters for sign in text):
            return color
    return None


def sides_of(texts: Sequence[str]) -> list[Color | None]:
    """Side of each move by the first way of writing in which both sides differ.

    Numerals and case must show the side of most moves, as a remark may name moves in another
    notation.
    """
    for way in (_side_by_numerals, _side_by_case):
        sides = [way(text) for text in texts]
        if {RED, BLACK} <= set(sides) and 2 * sides.count(None) < len(sides):
            return sides
    return [_side_by_character(text) for text in texts]


def moves_first(sides: Sequence[Color | None]) -> Color | None:
    """Side that moves first, if all known sides of consecutive moves agree; else None."""
    found = {side ^ (place % 2 == 1) for place, side in enumerate(sides) if side is not None}
    return bool(found.pop()) if len(found) == 1 else None
