"""From a cell of a table to a score."""

from xiangqi.core.evaluation.scores cimport MATE, MAX_PLY, RULE_WIN
from xiangqi.core.search.worker cimport draw_score
from xiangqi.core.tables.cells cimport (
    NO_POSITION, Cell, distance_of, is_lost, is_won, level_of,
)
from xiangqi.core.tables.shelf cimport look_up

cdef enum:
    MAX_COUNTED = 2 * MAX_PLY  # plies that a decided score has room for, behind the line's own


cdef int look_up_score(const Worker* worker, int ply) noexcept nogil:
    """The distance to mate where that is forced, a win by rule else. An end that lies behind the
    limit of plies without a capture is not believed."""
    cdef Cell cell
    cdef int distance, score
    if not look_up(worker.control.shelf, &worker.pos, &cell) or cell == NO_POSITION:
        return NO_SCORE
    if not is_won(cell) and not is_lost(cell):
        return draw_score(worker, ply)
    distance = distance_of(cell)
    if distance > worker.control.no_capture_limit:
        return NO_SCORE
    score = (RULE_WIN if level_of(cell) else MATE) - ply - min(distance, MAX_COUNTED)
    return score if is_won(cell) else -score
