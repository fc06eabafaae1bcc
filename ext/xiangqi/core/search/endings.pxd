"""What the end-game tables tell a search."""

from xiangqi.core.evaluation.scores cimport NO_SCORE
from xiangqi.core.search.worker cimport Worker

cdef int look_up_score(const Worker* worker, int ply) noexcept nogil


cdef inline int table_score(const Worker* worker, int ply) noexcept nogil:
    """The score of a position that a capture has just led to, if the tables know it; NO_SCORE if
    not. Only there is its value the same whatever was played before."""
    if worker.control.shelf == NULL or worker.pos.halfmove_clock != 0:
        return NO_SCORE
    return look_up_score(worker, ply)
