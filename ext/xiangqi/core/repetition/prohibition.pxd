"""Prohibitions like the superko rules of Go: positions that no move may repeat."""

from xiangqi.core.moves.defs cimport Key, Move
from xiangqi.core.moves.position cimport Position, Undo

cdef int repeated_ply(
    const Position* pos, const Undo* history, int plies, int prohibition
) noexcept nogil
cdef int repeated_ply_after(
    const Position* pos, Move move, const Undo* history, int plies, int prohibition
) noexcept nogil
