"""Moves barred by a prohibition: those that repeat an earlier position.

A capture changes the material for good, so that nothing before the last one can come back, and no
board does in fewer than four plies. The same key is the same position; a key that differs by the
side to move alone is the same board.
"""

from xiangqi.core.moves.defs cimport NO_PIECE, to_square
from xiangqi.core.moves.position cimport key_after
from xiangqi.core.moves.zobrist cimport TURN_KEY

cdef enum:
    MIN_PLIES = 4


cdef int stand_of(
    Key key, int now, int oldest, const Undo* history, int prohibition
) noexcept nogil:
    """Latest ply from ``oldest`` on whose position this key, of ply ``now``, must not repeat; -1:
    none."""
    cdef int step = 1 if prohibition == POSITIONAL else 2
    cdef int ply = now - MIN_PLIES
    cdef Key difference
    while ply >= oldest:
        difference = history[ply].key ^ key
        if difference == 0 or difference == TURN_KEY:
            return ply
        ply -= step
    return -1


cdef inline int last_capture(const Position* pos, int plies) noexcept nogil:
    """The first ply whose position can still come back. A pass sets the clock back, too."""
    return plies - min(pos.halfmove_clock, plies)


cdef int earlier_stand(
    const Position* pos, const Undo* history, int plies, int prohibition
) noexcept nogil:
    """Ply of ``history`` whose position or board the last move repeated although prohibited; -1 if
    the move was not barred, or nothing is prohibited."""
    if prohibition == NOTHING:
        return -1
    return stand_of(pos.key, plies, last_capture(pos, plies), history, prohibition)


cdef int earlier_stand_after(
    const Position* pos, Move move, const Undo* history, int plies, int prohibition
) noexcept nogil:
    """The same of the position that a legal move leads to: -1 unless the move is barred."""
    if prohibition == NOTHING or pos.board[to_square(move)] != NO_PIECE:
        return -1
    return stand_of(
        key_after(pos, move), plies + 1, last_capture(pos, plies), history, prohibition
    )
