"""Keys of book positions, and the encoding of squares and moves.

A key is the XOR of a number for each piece on its square, and one for the side to move. All
programs whose books are read here number squares on a board of 16 by 16: a9 is 0x33, i0 is 0xCB.
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
    "eleeye_table",
    "is_kept",
    "mirror_board",
    "obk_table",
    "read_square",
    "turn_right",
]

WIDE: Final = tuple((12 - square // 9) * 16 + 3 + square % 9 for square in SQUARES)
"""The number of each square on the board of 16 by 16."""
MIRRORED: Final = tuple(square_mirror(square) for square in SQUARES)
_SQUARE_OF: Final = {wide: square for square, wide in enumerate(WIDE)}
_CODES: Final = 16
"""Upper bound of piece codes, exclusive."""


def read_square(origin: int, target: int) -> Move | None:
    """The move between two squares of the wide board; None if they are off the board, or equal."""
    start, end = _SQUARE_OF.get(origin), _SQUARE_OF.get(target)
    return None if start is None or end is None or start == end else Move(start, end)


class Keys(NamedTuple):
    """Keys of a position and of its mirror image."""

    key: int
    mirrored: int


@dataclass(frozen=True, eq=False)
class KeyTable:
    """Random numbers of which keys are made."""

    pieces: Sequence[Sequence[int]]
    """A number for each piece code and square."""
    turn: int
    """The number for the side to move, where it is :attr:`marked`."""
    marked: Color

    def keys_of(self, setup: Setup) -> Keys:
        """The keys of a position."""
        key = mirrored = self.turn if setup.turn == self.marked else 0
        for square, code in enumerate(setup.board):
            if code:
                numbers = self.pieces[code]
                key ^= numbers[square]
                mirrored ^= numbers[MIRRORED[square]]
        return Keys(key, mirrored)


def _table(numbers: Sequence[Sequence[int]], turn: int, marked: Color) -> KeyTable:
    """The table of numbers on the wide board, for KABNRCP of Red and then of Black."""
    pieces: list[tuple[int, ...]] = [()] * _CODES
    kinds = [Piece(kind, color) for color in COLORS for kind in PIECE_TYPES]
    for piece, wide in zip(kinds, numbers, strict=True):
        pieces[piece.code] = tuple(wide[place] for place in WIDE)
    return KeyTable(pieces, turn, marked)


@lru_cache(maxsize=1)
def obk_table() -> KeyTable:
    """The table of OBK and PengFei books: 64 bits, marked where Red is to move."""
    text = resources.files("xiangqi.books").joinpath("obk_keys.txt").read_text("ascii")
    lines = "\n".join(line for line in text.splitlines() if not line.startswith("#"))
    turn, *numbers = (int(word, 16) for word in lines.split())
    return _table([numbers[start : start + 256] for start in range(0, 14 * 256, 256)], turn, RED)


@lru_cache(maxsize=1)
def eleeye_table() -> KeyTable:
    """The table of ElephantEye: 32 bits, marked where Black is to move.

    Its Zobrist numbers come in threes, of which the key is the last, from the stream of RC4 with
    four bytes of zero as the password; the side to move comes first (``PreGenInit`` in
    eleeye/pregen.cpp of https://github.com/xqbase/eleeye).
    """
    stream = _rc4(bytes(4))

    def draw() -> int:
        words = [int.from_bytes(bytes(next(stream) for _ in range(4)), "little") for _ in range(3)]
        return words[-1]

    turn = draw()
    return _table([[draw() for _ in range(256)] for _ in range(14)], turn, BLACK)


def _rc4(password: bytes) -> Iterator[int]:
    """The stream of RC4, byte by byte."""
    state = list(range(256))
    other = 0
    for place in range(256):
        other = (other + state[place] + password[place % len(password)]) & 255
        state[place], state[other] = state[other], state[place]
    place = other = 0
    while True:
        place = (place + 1) & 255
        other = (other + state[place]) & 255
        state[place], state[other] = state[other], state[place]
        yield state[(state[place] + state[other]) & 255]


_MIRROR: Final = bytes(MIRRORED)


def mirror_board(board: bytes) -> bytes:
    """The pieces of :attr:`xiangqi.pieces.fen.Setup.board` seen in a mirror."""
    return bytes(map(board.__getitem__, _MIRROR))


def is_kept(board: bytes | bytearray, mirrored: bytes | bytearray, keys: Keys) -> bool:
    """Is a board kept, given its mirror image and the keys of both?

    The greater one is, square by square from a0 on.
    """
    is_odd, is_mirror_odd = _is_no_number(keys.key), _is_no_number(keys.mirrored)
    return board >= mirrored if is_odd == is_mirror_odd else is_mirror_odd


def _is_no_number(key: int) -> bool:
    """Is a key with its highest bit set no floating-point number?"""
    return key > 0xFFF0_0000_0000_0000


def turn_right(move: Move) -> Move:
    """A move or its mirror image, whichever is kept where the board is its own image."""
    other = move.mirror()
    return max(move, other, key=lambda one: (one.from_square, one.to_square))
