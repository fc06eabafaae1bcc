"""Zobrist keys of book positions, and the encoding of squares.

A key is the XOR of a number for each piece on its square and one for the side to move. In all
supported formats squares are numbered on a board of 16 by 16: a9 is 0x33, i0 is 0xCB.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import Final, NamedTuple

from xiangqi.core.move import Move
from xiangqi.pieces import BLACK, COLORS, PIECE_TYPES, RED, SQUARES, Color, Piece, square_mirror
from xiangqi.pieces.fen import Setup

__all__ = [
    "MIRRORED",
    "WIDE",
    "KeyTable",
    "Keys",
    "canonical_move",
    "eleeye_table",
    "is_canonical",
    "mirror_board",
    "obk_table",
    "read_square",
]

WIDE: Final = tuple((12 - square // 9) * 16 + 3 + square % 9 for square in SQUARES)
"""Number of each square on the board of 16 by 16."""
MIRRORED: Final = tuple(square_mirror(square) for square in SQUARES)
_SQUARE_OF: Final = {wide: square for square, wide in enumerate(WIDE)}
_CODES: Final = 16
"""Upper bound of piece codes, exclusive."""


def read_square(origin: int, target: int) -> Move | None:
    """Decode a move between two 16 x 16 squares; None if they are off the board, or equal."""
    start, end = _SQUARE_OF.get(origin), _SQUARE_OF.get(target)
    return None if start is None or end is None or start == end else Move(start, end)


class Keys(NamedTuple):
    """Keys of a position and of its mirror image."""

    key: int
    mirrored: int


@dataclass(frozen=True, eq=False)
class KeyTable:
    """Random numbers of which keys are composed."""

    pieces: Sequence[Sequence[int]]
    """Numbers by piece code and square."""
    turn: int
    """Number for the side to move, used if that is :attr:`marked`."""
    marked: Color

    def keys_of(self, setup: Setup) -> Keys:
        """Compute the keys of a position."""
        key = mirrored = self.turn if setup.turn == self.marked else 0
        for square, code in enumerate(setup.board):
            if code:
                numbers = self.pieces[code]
                key ^= numbers[square]
                mirrored ^= numbers[MIRRORED[square]]
        return Keys(key, mirrored)


def _table(numbers: Sequence[Sequence[int]], turn: int, marked: Color) -> KeyTable:
    """Convert numbers by 16 x 16 square, for KABNRCP of Red and then of Black, to a table."""
    pieces: list[tuple[int, ...]] = [()] * _CODES
    kinds = [Piece(kind, color) for color in COLORS for kind in PIECE_TYPES]
    for piece, wide in zip(kinds, numbers, strict=True):
        pieces[piece.code] = tuple(wide[place] for place in WIDE)
    return KeyTable(pieces, turn, marked)


@lru_cache(maxsize=1)
def obk_table() -> KeyTable:
    """Return the table of OBK and PengFei books: 64 bits, marked if Red is to move."""
    text = resources.files("xiangqi.books").joinpath("obk_keys.txt").read_text("ascii")
    lines = "\n".join(line for line in text.splitlines() if not line.startswith("#"))
    turn, *numbers = (int(word, 16) for word in lines.split())
    return _table([numbers[start : start + 256] for start in range(0, 14 * 256, 256)], turn, RED)


@lru_cache(maxsize=1)
def eleeye_table() -> KeyTable:
    """Return the table of ElephantEye: 32 bits, marked if Black is to move.

    The numbers are every third word of the RC4 stream whose password is four zero bytes; the first
    one is for the side to move (``PreGenInit`` in eleeye/pregen.cpp of
    https://github.com/xqbase/eleeye).
    """
    stream = _rc4(bytes(4))

    def draw() -> int:
        words = [int.from_bytes(bytes(next(stream) for _ in range(4)), "little") for _ in range(3)]
        return words[-1]

    turn = draw()
    return _table([[draw() for _ in range(256)] for _ in range(14)], turn, BLACK)


def _rc4(password: bytes) -> Iterator[int]:
    """Iterate over the bytes of an RC4 stream."""
    state = list(range(256))
    j = 0
    for i in range(256):
        j = (j + state[i] + password[i % len(password)]) & 255
        state[i], state[j] = state[j], state[i]
    i = j = 0
    while True:
        i = (i + 1) & 255
        j = (j + state[i]) & 255
        state[i], state[j] = state[j], state[i]
        yield state[(state[i] + state[j]) & 255]


_MIRROR: Final = bytes(MIRRORED)


def mirror_board(board: bytes) -> bytes:
    """Mirror the squares of :attr:`xiangqi.pieces.fen.Setup.board` left to right."""
    return bytes(map(board.__getitem__, _MIRROR))


def is_canonical(board: bytes | bytearray, mirrored: bytes | bytearray, keys: Keys) -> bool:
    """Is a board the canonical one of its two mirror images, the one stored in a book?

    It is the greater one, compared square by square from a0 on; but if only one of the keys is a
    NaN as the float that OBK stores, which some programs cannot read, it is the other one.
    """
    is_nan, is_mirrored_nan = _is_nan(keys.key), _is_nan(keys.mirrored)
    return board >= mirrored if is_nan == is_mirrored_nan else is_mirrored_nan


def _is_nan(key: int) -> bool:
    """Are the bits of a key those of a negative NaN? OBK stores only negative numbers as floats."""
    return key > 0xFFF0_0000_0000_0000


def canonical_move(move: Move) -> Move:
    """Return the one of a move and its mirror image that is stored for a symmetrical board."""
    other = move.mirror()
    return max(move, other, key=lambda one: (one.from_square, one.to_square))
