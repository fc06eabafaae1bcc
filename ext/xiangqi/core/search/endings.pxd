"""Ends of a line besides repetitions: the end-game tables, and the limit without a capture."""

from xiangqi.core.evaluation.scores cimport MATE, NO_SCORE
from xiangqi.core.moves.movegen cimport has_legal_move
from xiangqi.core.search.worker cimport Worker, draw_score

cdef int look_up_score(const Worker* worker, int ply) noexcept nogil


cdef inline int table_score(const Worker* worker, int ply) noexcept nogil:
    """The score of a position that a capture has just led to, if the tables know it; NO_SCORE if
    not. Only there is its value the same whatever was played before."""
    if worker.control.shelf == NULL or worker.pos.halfmove_clock != 0:
        return NO_SCORE
    return look_up_score(worker, ply)


cdef inline int no_capture_score(Worker* worker, int ply) noexcept nogil:
    """A draw where the limit of plies without a capture is reached, NO_SCORE before. A side that
    is mated or stalemated by the last of them has lost."""
    if worker.pos.halfmove_clock < worker.control.no_capture_limit:
        return NO_SCORE
    if not has_legal_move(&worker.pos):
        return ply - MATE
    worker.tainted = True
    return draw_score(worker, ply)
