"""Iterative deepening, one worker at a time."""

from xiangqi.core.search.worker cimport Worker

cdef enum:
    MAX_DEPTH = 100

cdef int search_depth(Worker* worker, int depth) noexcept nogil
cdef void deepen(Worker* worker, int helper) noexcept nogil
cdef bint is_skipped(int helper, int depth) noexcept nogil
