"""Root moves, with scores and lines."""

from xiangqi.core.moves.defs cimport Move
from xiangqi.core.moves.movegen cimport MoveList
from xiangqi.core.search.worker cimport Worker

cdef void init_root_moves(Worker* worker, const MoveList* moves) noexcept nogil
cdef bint is_root_move(const Worker* worker, Move move) noexcept nogil
cdef void update_root_move(Worker* worker, Move move, int score, bint is_line) noexcept nogil
cdef void start_root_move(Worker* worker, Move move, int depth, int number) noexcept nogil
cdef void sort_root_moves(Worker* worker, int first) noexcept nogil
cdef void save_scores(Worker* worker) noexcept nogil
cdef int reported_score(const Worker* worker) noexcept nogil
cdef void discard_unproved_loss(Worker* worker) noexcept nogil
cdef void rank_unfinished(Worker* worker, int finished, int lines) noexcept nogil
cdef bint set_mate(Worker* worker, const Move* line, int plies) noexcept nogil
