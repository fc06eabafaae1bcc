"""Reasons for illegal moves, the most obvious one first."""

from xiangqi.core.moves.defs cimport NO_PIECE, color_of, from_square, kind_of, to_square
from xiangqi.core.moves.movegen cimport is_legal, is_pseudo_legal

from xiangqi.pieces import COLOR_NAMES, PIECE_TERMS, Piece, square_name


cdef str why_illegal(const Position* pos, Move move):
    """Reason why the move is illegal, in English; None for a legal move."""
    cdef int origin = from_square(move)
    cdef int target = to_square(move)
    cdef int piece = pos.board[origin]
    cdef int captured = pos.board[target]
    if is_legal(pos, move):
        return None
    mover = COLOR_NAMES[pos.turn]
    if piece == NO_PIECE:
        return f"there is no piece on {square_name(origin)}"
    name = Piece.from_code(piece).name()
    if color_of(piece) != pos.turn:
        return f"the {name} on {square_name(origin)} cannot move, it is {mover}'s turn"
    if captured != NO_PIECE and color_of(captured) == color_of(piece):
        own = PIECE_TERMS[kind_of(captured)]
        return f"{square_name(target)} is held by {mover}'s own {own}"
    if not is_pseudo_legal(pos, move):
        return f"the {name} on {square_name(origin)} cannot reach {square_name(target)}"
    return f"it leaves the {mover} general in check"
