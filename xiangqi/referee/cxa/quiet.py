"""The names of moves that are no strike: exchange, offer, block, follow, idle."""

from __future__ import annotations

from collections.abc import Collection

from xiangqi.core.board import CoreBoard
from xiangqi.core.move import Move
from xiangqi.pieces import CANNON, ROOK, Color, Square
from xiangqi.referee.cxa.search import GAIN, GainSearch, kind_at
from xiangqi.referee.cxa.weights import lies_between
from xiangqi.referee.ruling import Mark

__all__ = ["find_quiet_mark"]


def find_quiet_mark(
    search: GainSearch, before: CoreBoard, after: CoreBoard, move: Move, exchanges: Collection[Move]
) -> tuple[Mark, tuple[Square, ...]]:
    """Mark of a move that neither checks nor threatens anything (24.4-24.8), with the pieces that
    it watches.

    All of these are allowed; the first that fits is given.
    """
    color, square = before.turn, move.to_square
    if exchanges:
        return Mark.EXCHANGE, ()
    if _is_offered(search, after, square):
        return Mark.OFFER, ()
    if _blocks(before, after, color, square):
        return Mark.BLOCK, ()
    watched = _victims(after, color, square) - _victims(before, color, move.from_square)
    return (Mark.FOLLOW, tuple(sorted(watched))) if watched else (Mark.IDLE, ())


def _is_offered(search: GainSearch, board: CoreBoard, square: Square) -> bool:
    """May the side to move take the piece on a square, and win by it?"""
    captures = [move for move in board.list_moves("captures") if move.to_square == square]
    lines = search.find_lines(board, board.turn, moves=captures)
    return any(line.score >= GAIN for line in lines)


def _blocks(before: CoreBoard, after: CoreBoard, color: Color, square: Square) -> bool:
    """Does a piece that came to a square stand between an enemy chariot or cannon and what that
    attacked?"""
    return any(
        lies_between(square, attacker, target)
        and kind_at(before, attacker) in (ROOK, CANNON)
        and attacker not in after.attackers(not color, target)
        for target, piece in after.setup().piece_map().items()
        if piece.color == color and target != square
        for attacker in before.attackers(not color, target)
    )


def _victims(board: CoreBoard, color: Color, square: Square) -> set[Square]:
    """The enemy pieces that the piece on a square attacks."""
    return {
        target
        for target, piece in board.setup().piece_map().items()
        if piece.color != color and square in board.attackers(color, target)
    }
