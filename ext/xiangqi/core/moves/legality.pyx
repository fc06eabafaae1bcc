"""Reasons why moves are illegal, the most obvious one first."""

from xiangqi.core.moves.defs cimport NO_PIECE, color_of, from_square, to_square
from xiangqi.core.moves.movegen cimport is_legal, is_pseudo_legal

from xiangqi.ground.errors import Fact
from xiangqi.pieces import Piece, square_name


cdef object why_illegal(const Position* pos, Move move):
    """The reason why a move is illegal, as a Fact; None for a legal move."""
    cdef int origin = from_square(move)
    cdef int target = to_square(move)
    cdef int piece = pos.board[origin]
    cdef int captured = pos.board[target]
    if is_legal(pos, move):
        return None
    mover = bool(pos.turn)
    start, end = square_name(origin), square_name(target)
    if piece == NO_PIECE:
        return Fact("illegal.no_piece", square=start)
    moved = Piece.from_code(piece)
    if color_of(piece) != pos.turn:
        return Fact("illegal.not_your_turn", piece=moved, square=start, side=mover)
    if captured != NO_PIECE and color_of(captured) == color_of(piece):
        return Fact("illegal.own_piece", square=end, side=mover, piece=Piece.from_code(captured))
    if not is_pseudo_legal(pos, move):
        return Fact("illegal.unreachable", piece=moved, square=start, target=end)
    return Fact("illegal.in_check", side=mover)
