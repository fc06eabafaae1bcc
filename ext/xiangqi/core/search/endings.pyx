"""Scores from cells of endgame tables."""

from xiangqi.core.evaluation.scores cimport MATE, MAX_PLY, RULE_WIN
from xiangqi.core.search.worker cimport draw_score
from xiangqi.core.tables.cells cimport (
    NO_POSITION, Cell, distance_of, is_lost, is_won, level_of,
)
from xiangqi.core.tables.table_set cimport probe_cell

cdef enum:
    MAX_SCORED_DISTANCE = 2 * MAX_PLY  # plies that fit between WIN_IN_MAX and RULE_WIN


cdef int probe_score(const Worker* worker, int ply) noexcept nogil:
    """Mate score with its distance, or a win by rule; NO_SCORE if the end lies beyond the
    no-capture limit."""
    cdef Cell cell
    cdef int distance, score
    if not probe_cell(worker.control.tables, &worker.pos, &cell) or cell == NO_POSITION:
        return NO_SCORE
    if not is_won(cell) and not is_lost(cell):
        return draw_score(worker, ply)
    distance = distance_of(cell)
    if distance > worker.control.limits.no_capture_limit:
        return NO_SCORE
    score = (RULE_WIN if level_of(cell) else MATE) - ply - min(distance, MAX_SCORED_DISTANCE)
    return score if is_won(cell) else -score
