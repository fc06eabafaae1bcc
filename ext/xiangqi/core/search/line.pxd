"""Making and unmaking moves in the search; the principal variation."""

from xiangqi.core.moves.defs cimport Move
from xiangqi.core.search.worker cimport Worker

cdef void make_move(Worker* worker, int ply, Move move, bint checks) noexcept nogil
cdef void unmake_move(Worker* worker) noexcept nogil
cdef void make_null(Worker* worker, int ply) noexcept nogil
cdef void unmake_null(Worker* worker) noexcept nogil
cdef void clear_pv(Worker* worker, int ply) noexcept nogil
cdef void update_pv(Worker* worker, int ply, Move move) noexcept nogil
