"""Moves barred by a prohibition because they repeat an earlier position.

No position before the last capture can recur, and none recurs in fewer than four plies. Equal keys
are the same position; keys that differ by the side to move alone are the same placement.
"""

from xiangqi.core.moves.defs cimport NO_PIECE, to_square
from xiangqi.core.moves.position cimport key_after
from xiangqi.core.moves.zobrist cimport TURN_KEY
from xiangqi.core.repetition.rules cimport PROHIBITION_NONE, PROHIBITION_POSITIONAL

cdef enum:
    MIN_PLIES = 4


cdef int find_repeated_ply(
    Key key, int now, int oldest, const Undo* history, int prohibition
) noexcept nogil:
    """Latest ply from ``oldest`` on whose position must not have this key at ply ``now``; -1 if
    there is none."""
    cdef int step = 1 if prohibition == PROHIBITION_POSITIONAL else 2
    cdef int ply = now - MIN_PLIES
    cdef Key difference
    while ply >= oldest:
        difference = history[ply].key ^ key
        if difference == 0 or difference == TURN_KEY:
            return ply
        ply -= step
    return -1


cdef inline int last_capture(const Position* pos, int plies) noexcept nogil:
    """The first ply whose position can still recur. A null move resets the clock as well."""
    return plies - min(pos.halfmove_clock, plies)


cdef int repeated_ply(
    const Position* pos, const Undo* history, int plies, int prohibition
) noexcept nogil:
    """Ply of the position that the last move repeated although prohibited; -1 if there is none."""
    if prohibition == PROHIBITION_NONE:
        return -1
    return find_repeated_ply(pos.key, plies, last_capture(pos, plies), history, prohibition)


cdef int repeated_ply_after(
    const Position* pos, Move move, const Undo* history, int plies, int prohibition
) noexcept nogil:
    """Ply of the position that a legal move would repeat although prohibited; -1 if there is
    none."""
    if prohibition == PROHIBITION_NONE or pos.board[to_square(move)] != NO_PIECE:
        return -1
    return find_repeated_ply(
        key_after(pos, move), plies + 1, last_capture(pos, plies), history, prohibition
    )
