"""Repetitions in the search: verdicts of the judge as scores."""

from xiangqi.core.search.worker cimport Worker

cdef int ruling_score(Worker* worker, int alpha, int beta, int ply) noexcept nogil
cdef bint may_be_ruled_on(const Worker* worker) noexcept nogil
