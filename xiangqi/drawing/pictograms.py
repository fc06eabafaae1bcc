"""Pictures of the pieces for readers who know neither Chinese characters nor letters.

Each is an outline in a square of 36 units around the middle of a piece, filled in its ink;
what lies inside another outline is left out (``fill-rule`` evenodd).

>>> from xiangqi.pieces import PIECE_TYPES
>>> sorted(PICTOGRAMS) == sorted(PIECE_TYPES)
True
"""

from __future__ import annotations

from typing import Final

from xiangqi.pieces import (
    ADVISOR,
    BISHOP,
    CANNON,
    KING,
    KNIGHT,
    PAWN,
    ROOK,
    PieceType,
)

__all__ = ["PICTOGRAMS"]

PICTOGRAMS: Final[dict[PieceType, str]] = {
    # a crown
    KING: "M-14 7L-15 -7L-7 -1L0 -13L7 -1L15 -7L14 7ZM-13 9H13V13H-13Z",
    # a folding fan
    ADVISOR: "M0 13L-16 -4A21 21 0 0 1 16 -4ZM-3 5L-10 -4A14 14 0 0 1 -1.5 -7ZM3 5L1.5 -7"
    "A14 14 0 0 1 10 -4Z",
    # an elephant with its trunk to the right
    BISHOP: "M-15 12V-2Q-15 -10 -6 -10H2Q12 -11 14 -2Q15 4 15 11Q12 13 10 10Q11 5 9 3"
    "L6 4V12H1V5H-6V12ZM5 -5.5A1.7 1.7 0 1 0 8.4 -5.5A1.7 1.7 0 1 0 5 -5.5Z",
    # the head of a horse
    KNIGHT: "M-9 13H12Q13 -2 6 -9L5 -15L0 -11Q-8 -8 -14 3L-10 8L-4 4Q0 4 2 1Q2 7 -9 13Z"
    "M-3 -4A1.7 1.7 0 1 0 0.4 -4A1.7 1.7 0 1 0 -3 -4Z",
    # a wheel with spokes
    ROOK: "M-15 0A15 15 0 1 1 15 0A15 15 0 1 1 -15 0ZM-1.5 -3.5V-11.5A11.5 11.5 0 0 0 -11.5 "
    "-1.5H-3.5ZM1.5 -3.5V-11.5A11.5 11.5 0 0 1 11.5 -1.5H3.5ZM-1.5 3.5V11.5A11.5 11.5 0 0 1 "
    "-11.5 1.5H-3.5ZM1.5 3.5V11.5A11.5 11.5 0 0 0 11.5 1.5H3.5Z",
    # a gun on its wheel
    CANNON: "M-15 1L10 -12L15 -4L2 3.5A7.5 7.5 0 1 1 -12 4ZM-8 7A3 3 0 1 0 -2 7A3 3 0 1 0 -8 7Z",
    # a foot soldier below his hat
    PAWN: "M-14 -3L0 -14L14 -3ZM-6 0H6Q7 4 10 13H-10Q-7 4 -6 0Z",
}
