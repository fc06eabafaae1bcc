"""Repetition inside the tree: the judge's verdict becomes a score."""

from xiangqi.core.search.worker cimport Worker

cdef int ruling_score(Worker* worker, int alpha, int beta, int ply) noexcept nogil
cdef bint may_be_ruled_on(const Worker* worker) noexcept nogil
