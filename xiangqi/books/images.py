"""Choice of the mirror image of a position that a new book stores.

It depends on the position alone, so that both images count together in any order. Most games begin
with moves on the right side of the board; so the image with more unmoved pieces on the left is
stored, and programs that probe the position unmirrored find most of the book. The other image is
stored where OBK cannot represent the key in a form that other programs read
(:mod:`xiangqi.books.obk`).
"""

from __future__ import annotations

from typing import Final

from xiangqi.books.keys import MIRRORED, Keys
from xiangqi.core.move import Move

__all__ = ["is_kept", "mirror_board", "turn_right"]

_MIRROR: Final = bytes(MIRRORED)


def mirror_board(board: bytes) -> bytes:
    """The pieces of :attr:`xiangqi.fen.Setup.board` seen in a mirror."""
    return bytes(map(board.__getitem__, _MIRROR))


def is_kept(board: bytes | bytearray, mirrored: bytes | bytearray, keys: Keys) -> bool:
    """Is a board kept, given its mirror image and the keys of both?

    The greater one is, square by square from a0 on.
    """
    is_odd, is_mirror_odd = _is_no_number(keys.key), _is_no_number(keys.mirrored)
    return board >= mirrored if is_odd == is_mirror_odd else is_mirror_odd


def _is_no_number(key: int) -> bool:
    """Are its 64 bits no floating-point number, though the highest is set?"""
    return key > 0xFFF0_0000_0000_0000


def turn_right(move: Move) -> Move:
    """A move or its mirror image, whichever is kept where the board is its own image."""
    other = move.mirror()
    return max(move, other, key=lambda one: (one.from_square, one.to_square))
