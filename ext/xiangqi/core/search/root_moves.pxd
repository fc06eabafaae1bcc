"""The moves of the root, ranked."""

from xiangqi.core.moves.defs cimport Move
from xiangqi.core.moves.movegen cimport MoveList
from xiangqi.core.search.worker cimport Worker

cdef void list_root_moves(Worker* worker, const MoveList* moves) noexcept nogil
cdef bint is_root_move(const Worker* worker, Move move) noexcept nogil
cdef void note_root_move(Worker* worker, Move move, int score, bint is_line) noexcept nogil
cdef void begin_root_move(Worker* worker, Move move, int depth, int number) noexcept nogil
cdef void sort_root_moves(Worker* worker, int first) noexcept nogil
cdef void remember_scores(Worker* worker) noexcept nogil
cdef bint is_improved(const Worker* worker) noexcept nogil
cdef int known_score(const Worker* worker) noexcept nogil
cdef void drop_unproved_loss(Worker* worker) noexcept nogil
cdef void rank_unfinished(Worker* worker, int first) noexcept nogil
cdef bint set_mate(Worker* worker, const Move* line, int plies) noexcept nogil
