"""Quiescence: captures until the position is quiet."""

from xiangqi.core.search.worker cimport Worker

cdef int quiesce(Worker* worker, int alpha, int beta, int ply, int depth) noexcept nogil
