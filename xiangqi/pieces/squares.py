"""Square sets, and constants for the squares: A0 is Red's left corner, I9 Black's.

>>> from xiangqi import BLACK, CANNON, RED, Board
>>> board = Board()
>>> red, black = board.pieces(CANNON, RED), board.pieces(CANNON, BLACK)
>>> red | black
SquareSet.from_names('b2 h2 b7 h7')
>>> (red | black) & SquareSet.from_names("h2 h7 e4") == {H2, H7}
True
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from xiangqi.ground.errors.absent import HintingType, missing_name
from xiangqi.pieces import (
    FILE_NAMES,
    RANK_NAMES,
    SQUARES,
    Square,
    parse_square,
    require_square,
    square,
    square_file,
    square_flip,
    square_mirror,
    square_name,
    square_rank,
)

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

# fmt: off
__all__ = [
    "A0", "A1", "A2", "A3", "A4", "A5", "A6", "A7", "A8", "A9",
    "B0", "B1", "B2", "B3", "B4", "B5", "B6", "B7", "B8", "B9",
    "C0", "C1", "C2", "C3", "C4", "C5", "C6", "C7", "C8", "C9",
    "D0", "D1", "D2", "D3", "D4", "D5", "D6", "D7", "D8", "D9",
    "E0", "E1", "E2", "E3", "E4", "E5", "E6", "E7", "E8", "E9",
    "F0", "F1", "F2", "F3", "F4", "F5", "F6", "F7", "F8", "F9",
    "G0", "G1", "G2", "G3", "G4", "G5", "G6", "G7", "G8", "G9",
    "H0", "H1", "H2", "H3", "H4", "H5", "H6", "H7", "H8", "H9",
    "I0", "I1", "I2", "I3", "I4", "I5", "I6", "I7", "I8", "I9",
    "SquareSet",
]
# fmt: on

A0, B0, C0, D0, E0, F0, G0, H0, I0 = SQUARES[0:9]
A1, B1, C1, D1, E1, F1, G1, H1, I1 = SQUARES[9:18]
A2, B2, C2, D2, E2, F2, G2, H2, I2 = SQUARES[18:27]
A3, B3, C3, D3, E3, F3, G3, H3, I3 = SQUARES[27:36]
A4, B4, C4, D4, E4, F4, G4, H4, I4 = SQUARES[36:45]
A5, B5, C5, D5, E5, F5, G5, H5, I5 = SQUARES[45:54]
A6, B6, C6, D6, E6, F6, G6, H6, I6 = SQUARES[54:63]
A7, B7, C7, D7, E7, F7, G7, H7, I7 = SQUARES[63:72]
A8, B8, C8, D8, E8, F8, G8, H8, I8 = SQUARES[72:81]
A9, B9, C9, D9, E9, F9, G9, H9, I9 = SQUARES[81:90]

_T = TypeVar("_T")
_ALL = (1 << len(SQUARES)) - 1


def _squares(found: Any) -> Any:
    """Convert a set that contains only squares to a square set; return others unchanged."""
    is_valid = all(isinstance(each, int) and 0 <= each < len(SQUARES) for each in found)
    return frozenset.__new__(SquareSet, found) if is_valid else found


class SquareSet(frozenset[Square], metaclass=HintingType):
    """Immutable set of squares: a frozenset that iterates from a0 to i9.

    It is equal to any set of the same squares, and set operations return square sets. The argument
    is an iterable of squares, or a bitboard with a bit for each square, the inverse of ``int()``.

    >>> both = SquareSet([E0, E9])
    >>> int(both) == 1 << E0 | 1 << E9, SquareSet(int(both)) == both == {4, 85}
    (True, True)
    >>> print(SquareSet.from_names("a9 i0"))
    9 1 . . . . . . . .
    8 . . . . . . . . .
    7 . . . . . . . . .
    6 . . . . . . . . .
    5 . . . . . . . . .
    4 . . . . . . . . .
    3 . . . . . . . . .
    2 . . . . . . . . .
    1 . . . . . . . . .
    0 . . . . . . . . 1
      a b c d e f g h i

    Raises ValueError for an invalid square, TypeError for its name.
    """

    __slots__ = ()
    _COUNTERPART = "chess.SquareSet"

    def __new__(cls, squares: Iterable[Square] | int = ()) -> SquareSet:
        """Make a set of these squares."""
        if isinstance(squares, int):
            if not 0 <= squares <= _ALL:
                raise ValueError(f"invalid set of squares {squares}: expected 90 bits")
            squares = [square for square in SQUARES if squares >> square & 1]
        return super().__new__(cls, map(require_square, squares))

    @classmethod
    def from_square(cls, square: Square) -> SquareSet:
        """Set of one square."""
        return cls((square,))

    @classmethod
    def from_names(cls, names: str) -> SquareSet:
        """Set of the squares named in a text, separated by spaces; raises InvalidSquareError."""
        return cls(map(parse_square, names.split()))

    @classmethod
    def between(cls, first: Square, last: Square) -> SquareSet:
        """Squares strictly between two squares of a file or rank; empty if they share neither.

        >>> SquareSet.between(B2, B7), SquareSet.between(A0, B2)
        (SquareSet.from_names('b3 b4 b5 b6'), SquareSet.from_names(''))
        """
        low, high = sorted((require_square(first), require_square(last)))
        if square_file(low) == square_file(high):
            return cls(range(low + len(FILE_NAMES), high, len(FILE_NAMES)))
        return cls(range(low + 1, high) if square_rank(low) == square_rank(high) else ())

    @classmethod
    def ray(cls, first: Square, last: Square) -> SquareSet:
        """Squares of the file or rank that two different squares share; empty if they share none.

        >>> len(SquareSet.ray(B2, B7)), SquareSet.ray(A0, B2)
        (10, SquareSet.from_names(''))
        """
        if square_rank(first) == square_rank(last) and first != last:
            return cls(square(file, square_rank(first)) for file in range(len(FILE_NAMES)))
        if square_file(first) == square_file(last) and first != last:
            return cls(square(square_file(first), rank) for rank in range(len(RANK_NAMES)))
        return cls()

    def mirror(self) -> SquareSet:
        """Set mirrored left to right."""
        return SquareSet(map(square_mirror, self))

    def flip(self) -> SquareSet:
        """Set with the board turned over: rank 0 becomes rank 9."""
        return SquareSet(map(square_flip, self))

    def tolist(self) -> list[bool]:
        """Membership of each square, from a0 to i9."""
        return [square in self for square in SQUARES]

    def __iter__(self) -> Iterator[Square]:
        return iter(sorted(frozenset.__iter__(self)))

    def __int__(self) -> int:
        return sum(1 << square for square in self)

    def __invert__(self) -> SquareSet:
        return SquareSet(frozenset(SQUARES) - self)

    def __and__(self, other: AbstractSet[object]) -> SquareSet:
        return _squares(super().__and__(other))  # type: ignore[no-any-return]

    __rand__ = __and__

    def __or__(self, other: AbstractSet[_T]) -> Any:
        return _squares(super().__or__(other))

    __ror__ = __or__

    def __xor__(self, other: AbstractSet[_T]) -> Any:
        return _squares(super().__xor__(other))

    __rxor__ = __xor__

    def __sub__(self, other: AbstractSet[object]) -> SquareSet:
        return _squares(super().__sub__(other))  # type: ignore[no-any-return]

    def __rsub__(self, other: AbstractSet[_T]) -> Any:
        return frozenset(other) - frozenset(self)

    def union(self, *others: Iterable[Any]) -> Any:
        """Squares in any of the sets."""
        return _squares(super().union(*others))

    def intersection(self, *others: Iterable[object]) -> SquareSet:
        """Squares in all of the sets."""
        return SquareSet(super().intersection(*others))

    def difference(self, *others: Iterable[object]) -> SquareSet:
        """Squares in none of the others."""
        return SquareSet(super().difference(*others))

    def symmetric_difference(self, other: Iterable[Any]) -> Any:
        """Squares in exactly one of the two."""
        return _squares(super().symmetric_difference(other))

    def copy(self) -> SquareSet:
        """Return the set itself, as it is immutable."""
        return self

    if TYPE_CHECKING:  # a class with its own __eq__ may be compared with any set under mypy

        def __eq__(self, other: object) -> bool: ...

        def __hash__(self) -> int: ...

    def __str__(self) -> str:
        rows = [
            " ".join([RANK_NAMES[rank], *(".1"[square(file, rank) in self] for file in range(9))])
            for rank in reversed(range(10))
        ]
        return "\n".join([*rows, " ".join([" ", *FILE_NAMES])])

    def __repr__(self) -> str:
        return f"SquareSet.from_names({' '.join(map(square_name, self))!r})"

    if not TYPE_CHECKING:  # with it, type checkers would accept any attribute

        def __getattr__(self, name: str) -> NoReturn:
            raise missing_name(self._COUNTERPART, f"{type(self).__name__!r} object", name, self)
