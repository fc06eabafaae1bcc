"""Which of the two mirror images of a position a new book keeps.

It depends on nothing but the position, so that both images count together, in whatever order they
come. Most games are played with the right wing first; so the image with more of the left wing at
home is kept, and programs that look up the position as it stands find most of the book.
"""

from __future__ import annotations

from typing import Final

from xiangqi.books.keys import MIRRORED
from xiangqi.core.move import Move

__all__ = ["is_kept", "mirror_board", "turn_right"]

_MIRROR: Final = bytes(MIRRORED)


def mirror_board(board: bytes) -> bytes:
    """The pieces of :attr:`xiangqi.fen.Setup.board` seen in a mirror."""
    return bytes(map(board.__getitem__, _MIRROR))


def is_kept(board: bytes | bytearray, mirrored: bytes | bytearray) -> bool:
    """Is a board kept, given its mirror image? The greater one is, square by square from a0 on."""
    return board >= mirrored


def turn_right(move: Move) -> Move:
    """A move or its mirror image, whichever is kept where the board is its own image."""
    other = move.mirror()
    return max(move, other, key=lambda one: (one.from_square, one.to_square))
