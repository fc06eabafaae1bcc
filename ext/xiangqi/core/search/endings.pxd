"""Scores of positions known without search: endgame tables, and the no-capture draw."""

from xiangqi.core.evaluation.scores cimport MATE, NO_SCORE
from xiangqi.core.moves.movegen cimport has_legal_move
from xiangqi.core.search.worker cimport Worker, draw_score

cdef int probe_score(const Worker* worker, int ply) noexcept nogil


cdef inline int table_score(const Worker* worker, int ply) noexcept nogil:
    """Score from the endgame tables right after a capture, or NO_SCORE. Elsewhere the value may
    depend on the moves before."""
    if worker.control.tables == NULL or worker.pos.halfmove_clock != 0:
        return NO_SCORE
    return probe_score(worker, ply)


cdef inline int no_capture_score(Worker* worker, int ply) noexcept nogil:
    """Draw once ``no_capture_limit`` plies have passed without a capture, or NO_SCORE. Checkmate
    and stalemate by the last of these moves take precedence."""
    if worker.pos.halfmove_clock < worker.control.limits.no_capture_limit:
        return NO_SCORE
    if not has_legal_move(&worker.pos):
        return ply - MATE
    worker.tainted = True
    return draw_score(worker, ply)
