"""What a finished node teaches: where cut-offs come from, and what the evaluation missed."""

from xiangqi.core.moves.defs cimport Move, int16_t
from xiangqi.core.search.worker cimport Worker

cdef enum:
    LASTING_CORRECTIONS = 3  # by soldiers, by each side's men
    MAX_CORRECTIONS = 4     # and by the last two moves

cdef struct Corrections:     # the counters of all that a position has in common with others
    int16_t* counters[MAX_CORRECTIONS]
    int count

cdef void find_corrections(Worker* worker, int ply, Corrections* found) noexcept nogil
cdef int corrected_eval(
    const Worker* worker, const Corrections* corrections, int static_eval
) noexcept nogil
cdef void learn_correction(
    const Worker* worker, const Corrections* corrections, int depth, int error
) noexcept nogil
cdef void learn_table_cutoff(Worker* worker, int ply, int depth, Move move) noexcept nogil
cdef void learn_fail_low(Worker* worker, int ply, int depth) noexcept nogil
cdef void learn_cutoff(
    Worker* worker, int ply, int depth, Move best, const Move* tried, int count
) noexcept nogil
