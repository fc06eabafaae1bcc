"""Updates of histories and corrections from a finished node."""

from xiangqi.core.moves.defs cimport Move, int16_t
from xiangqi.core.search.worker cimport Worker

cdef enum:
    POSITION_CORRECTIONS = 3  # by pawns, by the other pieces of each side
    MAX_CORRECTIONS = 4     # and by the last two moves, if there are two

cdef struct Corrections:     # correction counters of a position
    int16_t* counters[MAX_CORRECTIONS]
    int count

cdef void find_corrections(Worker* worker, int ply, Corrections* found) noexcept nogil
cdef int corrected_eval(
    const Worker* worker, const Corrections* corrections, int static_eval
) noexcept nogil
cdef void update_corrections(
    const Worker* worker, const Corrections* corrections, int depth, int error
) noexcept nogil
cdef void update_on_tt_cutoff(Worker* worker, int ply, int depth, Move move) noexcept nogil
cdef void update_on_gain(Worker* worker, int ply) noexcept nogil
cdef void update_on_fail_low(Worker* worker, int ply, int depth) noexcept nogil
cdef void update_on_cutoff(
    Worker* worker, int ply, int depth, Move best, const Move* tried, int count
) noexcept nogil
