"""Prohibitions, the superko rules of Go: positions that no move may bring back."""

from xiangqi.core.moves.defs cimport Key, Move
from xiangqi.core.moves.position cimport Position, Undo

cdef enum:  # Prohibition: which positions may not come back
    NOTHING          # no prohibition; repetitions are ruled by conduct
    POSITIONAL       # none, with either side to move
    SITUATIONAL      # none with the same side to move
    PROHIBITIONS

cdef int earlier_stand(
    const Position* pos, const Undo* history, int plies, int prohibition
) noexcept nogil
cdef int earlier_stand_after(
    const Position* pos, Move move, const Undo* history, int plies, int prohibition
) noexcept nogil
