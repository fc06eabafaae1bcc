"""Making and taking back moves along the line being searched; the best line found."""

from xiangqi.core.moves.defs cimport Move
from xiangqi.core.search.worker cimport Worker

cdef void play(Worker* worker, int ply, Move move, bint checks) noexcept nogil
cdef void take_back(Worker* worker) noexcept nogil
cdef void play_null(Worker* worker, int ply) noexcept nogil
cdef void take_back_null(Worker* worker) noexcept nogil
cdef void end_pv(Worker* worker, int ply) noexcept nogil
cdef void extend_pv(Worker* worker, int ply, Move move) noexcept nogil
