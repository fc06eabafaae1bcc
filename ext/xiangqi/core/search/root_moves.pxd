"""The moves of the root, ranked."""

from xiangqi.core.moves.defs cimport Move
from xiangqi.core.search.worker cimport Worker

cdef bint is_root_move(const Worker* worker, Move move) noexcept nogil
cdef void note_root_move(Worker* worker, Move move, int score, bint is_line) noexcept nogil
cdef void begin_root_move(Worker* worker, Move move, int depth, int number) noexcept nogil
cdef void sort_root_moves(Worker* worker, int first) noexcept nogil
