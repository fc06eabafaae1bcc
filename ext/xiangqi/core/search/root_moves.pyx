"""Scores and lines of the root's moves, kept from iteration to iteration."""

from libc.string cimport memcpy

from xiangqi.core.evaluation.scores cimport INFINITE, WIN_IN_MAX, MATE, MAX_PLY
from xiangqi.core.moves.defs cimport uint64_t
from xiangqi.core.search.worker cimport RootMove, clamp


cdef void list_root_moves(Worker* worker, const MoveList* moves) noexcept nogil:
    """Begin with these moves, of which nothing is known."""
    cdef RootMove* root
    cdef int i
    worker.root_count = moves.count
    for i in range(moves.count):
        root = &worker.root_moves[i]
        root.move = root.pv[0] = moves.moves[i]
        root.score = root.previous = -INFINITE
        root.nodes = 0
        root.length = 1


cdef bint is_root_move(const Worker* worker, Move move) noexcept nogil:
    """Is this one of the moves still to be ranked?"""
    cdef int i
    for i in range(worker.pv_index, worker.root_count):
        if worker.root_moves[i].move == move:
            return True
    return False


cdef void note_root_move(Worker* worker, Move move, int score, bint is_line) noexcept nogil:
    """Keep the score, line and cost of a root move; those that did not raise alpha go to the end.
    """
    cdef int i, j
    cdef RootMove* root
    for i in range(worker.pv_index, worker.root_count):
        root = &worker.root_moves[i]
        if root.move == move:
            if worker.pv_index == 0:
                root.nodes += worker.nodes - worker.root_began
            if not is_line:
                root.score = -INFINITE
                return
            root.score = score
            root.pv[0] = move
            root.length = 1
            for j in range(clamp(worker.pv_length[1], 0, MAX_PLY - 1)):
                root.pv[j + 1] = worker.pv[1][j]
                root.length += 1
            return


cdef void begin_root_move(Worker* worker, Move move, int depth, int number) noexcept nogil:
    """Count what it costs, and let other threads know where the main worker is: in one word, of
    which nobody reads a half."""
    worker.root_began = worker.nodes
    if worker.is_main:
        worker.control.at_root = (
            <uint64_t>depth << 32 | <uint64_t>(number + worker.pv_index) << 16 | move
        )


cdef void sort_root_moves(Worker* worker, int first) noexcept nogil:
    """Insertion sort by score, then by the score before; stable."""
    cdef int i, j
    cdef RootMove moving
    for i in range(first + 1, worker.root_count):
        moving = worker.root_moves[i]
        j = i
        while j > first and is_better(&moving, &worker.root_moves[j - 1]):
            worker.root_moves[j] = worker.root_moves[j - 1]
            j -= 1
        worker.root_moves[j] = moving


cdef bint is_better(const RootMove* one, const RootMove* other) noexcept nogil:
    if one.score != other.score:
        return one.score > other.score
    return one.previous > other.previous


cdef void remember_scores(Worker* worker) noexcept nogil:
    """Another iteration begins: what is known becomes what was known before it."""
    cdef int i
    worker.led = worker.root_moves[0].move
    for i in range(worker.root_count):
        worker.root_moves[i].previous = worker.root_moves[i].score


cdef bint is_improved(const Worker* worker) noexcept nogil:
    """Has an iteration that came to no end found a better move or score?"""
    cdef const RootMove* root = &worker.root_moves[0]
    return root.score > root.previous or root.move != worker.led


cdef int known_score(const Worker* worker) noexcept nogil:
    """The score of the first line, at least; of the iteration before where this one tells none."""
    cdef const RootMove* root = &worker.root_moves[0]
    return root.score if not worker.over or is_improved(worker) else root.previous


cdef void drop_unproved_loss(Worker* worker) noexcept nogil:
    """An iteration that ended among its first moves may have seen these lose; nobody knows of the
    others. Then the order and scores before it stand."""
    cdef int i
    if worker.root_moves[0].score <= -WIN_IN_MAX:
        for i in range(worker.root_count):
            worker.root_moves[i].score = worker.root_moves[i].previous
        sort_root_moves(worker, 0)


cdef void rank_unfinished(Worker* worker, int first) noexcept nogil:
    """Sort the moves from ``first`` on where an iteration has ended early: one that fell below the
    lines, by an unknown amount, counts with its score of the iteration before."""
    cdef int i
    for i in range(first, worker.root_count):
        if worker.root_moves[i].score == -INFINITE:
            worker.root_moves[i].score = worker.root_moves[i].previous
    sort_root_moves(worker, first)


cdef bint set_mate(Worker* worker, const Move* line, int plies) noexcept nogil:
    """Make a mate the first line; False if it may not be played."""
    cdef RootMove* root
    cdef int i
    for i in range(worker.root_count):
        root = &worker.root_moves[i]
        if root.move == line[0]:
            root.score = MATE - plies
            root.length = plies
            memcpy(root.pv, line, plies * sizeof(Move))
            worker.seldepth = plies - 1
            sort_root_moves(worker, 0)
            return True
    return False
