"""One piece or several: what makes a chase heavy or light (26.9)."""

from __future__ import annotations

from typing import Final

from xiangqi.core.board import CoreBoard
from xiangqi.core.move import Move
from xiangqi.pieces import (
    ADVISOR,
    BISHOP,
    CANNON,
    KNIGHT,
    PAWN,
    ROOK,
    Color,
    PieceType,
    Square,
)
from xiangqi.referee.cxa.finder import GAIN, Finder, taken_off, turned
from xiangqi.referee.cxa.gains import Capture, Gain, kind_at, list_captures

__all__ = ["is_single"]

_RANKS: Final = {PAWN: 1, ADVISOR: 2, BISHOP: 2, KNIGHT: 4, CANNON: 4, ROOK: 8}
"""Which of two victims is the dearer."""
_ATTACKERS: Final = (ROOK, KNIGHT, CANNON, PAWN)


def is_single(finder: Finder, board: CoreBoard, color: Color, gain: Gain) -> bool:
    """Does one piece chase a chariot, or a piece without a root? Else several chase jointly, or the
    victim has fewer roots than attackers.

    It is asked of the dearest victim of the line. The captor needs no other piece if nothing can
    take back: no root in form, or none that could if any other attacking piece were not there to
    pin it. A chariot taken by something cheaper is a gain whatever takes back. What only checks in
    between, and so unveils the captor, is no second attacker.
    """
    captures = list_captures(board, color, gain.line.moves)
    prize = max(captures, key=lambda capture: _RANKS[capture.victim_kind], default=None)
    if prize is None:
        return False
    if prize.captor in prize.movers:
        score = finder.find_score(board, color, gain.line.first, alone=True)
        return score is not None and score >= GAIN
    return _takes_alone(turned(board, color), color, prize)


def _takes_alone(board: CoreBoard, color: Color, prize: Capture) -> bool:
    """With the pieces away that moved before: is the prize won by its captor alone?"""
    before = taken_off(board, prize.movers)
    move = Move(prize.captor, prize.victim)
    if before is None or not before.is_legal(move):
        return False
    if _is_dearer(prize.victim_kind, kind_at(before, prize.captor)):
        return True
    before.push_unchecked(move)
    helpers = [
        square
        for square, piece in before.setup().piece_map().items()
        if piece.color == color and piece.piece_type in _ATTACKERS and square != prize.victim
    ]
    roots = before.attackers(not color, prize.victim)
    return not any(_takes_back(before, root, prize.victim, helpers) for root in roots)


def _is_dearer(victim: PieceType, captor: PieceType) -> bool:
    """Is it a chariot, and taken by something else?"""
    return victim == ROOK and captor != ROOK


def _takes_back(board: CoreBoard, root: Square, square: Square, helpers: list[Square]) -> bool:
    """Can a root in form take back, or could it if one of the captor's helpers were away?"""
    move = Move(root, square)
    if board.is_legal(move):
        return True
    without = (taken_off(board, [helper]) for helper in helpers)
    return any(other is not None and other.is_legal(move) for other in without)
