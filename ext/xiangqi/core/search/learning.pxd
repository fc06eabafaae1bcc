"""What a finished node teaches: where cut-offs come from, and what the evaluation missed."""

from xiangqi.core.moves.defs cimport Move
from xiangqi.core.search.worker cimport Worker

cdef int corrected_eval(Worker* worker, int ply, int static_eval) noexcept nogil
cdef void learn_correction(Worker* worker, int ply, int depth, int error) noexcept nogil
cdef void learn_table_cutoff(Worker* worker, int ply, int depth, Move move) noexcept nogil
cdef void learn_fail_low(Worker* worker, int ply, int depth) noexcept nogil
cdef void learn_cutoff(
    Worker* worker, int ply, int depth, Move best, const Move* tried, int count
) noexcept nogil
