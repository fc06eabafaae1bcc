"""Iterative deepening of one worker."""

from xiangqi.core.search.worker cimport Worker

cdef enum:
    MAX_DEPTH = 100

cdef int aspiration_search(Worker* worker, int depth) noexcept nogil
cdef void help_search(Worker* worker, int helper) noexcept nogil
cdef bint is_skipped(int helper, int depth) noexcept nogil
