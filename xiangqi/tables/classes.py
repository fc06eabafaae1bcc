"""Material classes of endgames: their names, and the classes that captures lead to.

A class is named by both sides' pieces, the stronger side first: ``KRvKN``. Names are read in any
case, with or without the ``v``. The stronger side has more pieces that can cross the river, then
more pieces, then more valuable ones.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations_with_replacement
from typing import Final

from xiangqi.core.board import CoreBoard
from xiangqi.core.tablebase import count_cells
from xiangqi.ground.errors import Fact, TableError
from xiangqi.pieces import BLACK, KING, PIECE_LETTERS, PIECE_TYPES, RED, Piece

__all__ = [
    "SOLVED_RULES",
    "MaterialClass",
    "class_of",
    "one_attacker",
    "parse_class",
    "require_table",
    "up_to_men",
    "with_captures",
]

ORDER: Final = "RNCPAB"
"""Letters of the pieces by decreasing value; the first four can cross the river."""
ATTACKERS: Final = ORDER[:4]
SOLVED_RULES: Final = ("wxf", "checks-only", "all-draws")
"""Rule sets for which tables are made."""
_MAX_COUNTS: Final = dict.fromkeys("RNCAB", 2) | {"P": 5}
_NAME: Final = re.compile(r"K([RNCPABEH]*)V?K([RNCPABEH]*)")
_TYPES: Final = dict(zip(PIECE_LETTERS, PIECE_TYPES, strict=True))


@dataclass(frozen=True)
class MaterialClass:
    """Letters of both sides' pieces without the kings, in the order of the class name."""

    strong: str
    weak: str

    @property
    def name(self) -> str:
        """Name of the class, such as KRvKN."""
        return f"K{self.strong}vK{self.weak}"

    @property
    def men(self) -> int:
        return 2 + len(self.strong) + len(self.weak)

    @cached_property
    def pieces(self) -> bytes:
        """Piece codes for the core; the stronger side is Red."""
        codes = [Piece(_TYPES[letter], RED).code for letter in self.strong]
        return bytes(codes + [Piece(_TYPES[letter], BLACK).code for letter in self.weak])

    @cached_property
    def cells(self) -> int:
        return count_cells(self.pieces)

    def captures(self) -> Iterator[MaterialClass]:
        """Classes that one capture leads to, each once."""
        for letter in sorted(set(self.strong)):
            yield make_class(self.strong.replace(letter, "", 1), self.weak)
        for letter in sorted(set(self.weak)):
            yield make_class(self.strong, self.weak.replace(letter, "", 1))


def _strength(side: str) -> tuple[int, int, list[int]]:
    crossing = sum(letter in ATTACKERS for letter in side)
    return crossing, len(side), [-ORDER.index(letter) for letter in side]


@lru_cache(maxsize=4096)
def make_class(one: str, other: str) -> MaterialClass:
    """Make the class of two sides' pieces, given as letters in any order."""
    sides = ["".join(sorted(side, key=ORDER.index)) for side in (one, other)]
    weak, strong = sorted(sides, key=_strength)
    return MaterialClass(strong, weak)


def parse_class(text: str) -> MaterialClass:
    """Parse the name of a class: ``KRvKN``, ``krkn``. E is read as B, H as N.

    >>> parse_class("KAKR").name
    'KRvKA'
    >>> parse_class("KRRR")
    Traceback (most recent call last):
    xiangqi.ground.errors.TableError: class 'KRRR': expected two kings and their pieces, as in KRvKN
    """
    found = _NAME.fullmatch(text.upper())
    if found is None:
        raise TableError(Fact("table.class", name=text), Fact("table.kings"))
    sides = [side.replace("E", "B").replace("H", "N") for side in found.groups()]
    for side in sides:
        for letter, most in _MAX_COUNTS.items():
            if side.count(letter) > most:
                why = Fact("table.pieces", most=most, letter=letter)
                raise TableError(Fact("table.class", name=text), why)
    material = make_class(*sides)
    require_table(material)
    return material


def require_table(material: MaterialClass) -> None:
    """Raise TableError if the class is too large for a table."""
    try:
        count_cells(material.pieces)
    except ValueError as error:
        name = Fact("table.class", name=material.name)
        raise TableError(name, Fact("table.large")) from error


def class_of(board: CoreBoard) -> MaterialClass:
    sides = {RED: "", BLACK: ""}
    for piece in board.setup().piece_map().values():
        if piece.piece_type != KING:
            sides[piece.color] += PIECE_LETTERS[piece.piece_type - 1]
    return make_class(sides[RED], sides[BLACK])


def up_to_men(men: int) -> list[MaterialClass]:
    """All classes of at most this many pieces, the kings included."""
    found: dict[MaterialClass, None] = {}
    for count in range(men - 1):
        for red in range(count + 1):
            for strong in _sides(count - red):
                found.update(dict.fromkeys(make_class(strong, weak) for weak in _sides(red)))
    return list(found)


def _sides(count: int) -> list[str]:
    return [
        "".join(side)
        for side in combinations_with_replacement(ORDER, count)
        if all(side.count(letter) <= most for letter, most in _MAX_COUNTS.items())
    ]


def one_attacker() -> list[MaterialClass]:
    """Classes of one piece that can cross the river against all advisors and bishops; captures lead
    to those with fewer defenders."""
    return [make_class(attacker, "AABB") for attacker in ATTACKERS]


def with_captures(classes: Iterable[MaterialClass]) -> list[MaterialClass]:
    """These classes and all that captures lead to, those with fewer pieces first."""
    found: set[MaterialClass] = set()
    left = list(classes)
    while left:
        material = left.pop()
        if material not in found:
            found.add(material)
            left += material.captures()
    return sorted(found, key=lambda material: (material.men, material.name))
