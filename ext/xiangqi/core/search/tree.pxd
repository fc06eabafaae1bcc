"""The main search: principal-variation negamax."""

from xiangqi.core.search.worker cimport Worker

cdef int negamax(
    Worker* worker, int alpha, int beta, int depth, int ply, bint cut_node
) noexcept nogil
