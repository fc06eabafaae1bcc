"""What a finished node teaches: where cut-offs come from, and what the evaluation missed."""

from xiangqi.core.moves.defs cimport Move
from xiangqi.core.search.worker cimport Worker

cdef int corrected_eval(Worker* worker, int static_eval) noexcept nogil
cdef void learn_correction(Worker* worker, int depth, int error) noexcept nogil
cdef void learn_cutoff(
    Worker* worker, int ply, int depth, Move best, const Move* tried, int count
) noexcept nogil
