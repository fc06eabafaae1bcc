"""Scores and lines of the root moves, kept between iterations."""

from libc.string cimport memcpy

from xiangqi.core.evaluation.scores cimport INFINITE, WIN_IN_MAX, MATE, MAX_PLY
from xiangqi.core.moves.defs cimport uint64_t
from xiangqi.core.search.tt cimport EXACT, LOWER, UPPER
from xiangqi.core.search.worker cimport RootMove, clamp


cdef void init_root_moves(Worker* worker, const MoveList* moves) noexcept nogil:
    """Set the root moves, without scores."""
    cdef RootMove* root
    cdef int i
    worker.root_count = moves.count
    for i in range(moves.count):
        root = &worker.root_moves[i]
        root.move = root.pv[0] = moves.moves[i]
        root.score = root.previous = -INFINITE
        root.most = INFINITE
        root.nodes = 0
        root.length = 1


cdef bint is_root_move(const Worker* worker, Move move) noexcept nogil:
    """Is this a root move that MultiPV has not ranked yet?"""
    cdef int i
    for i in range(worker.pv_index, worker.root_count):
        if worker.root_moves[i].move == move:
            return True
    return False


cdef void update_root_move(Worker* worker, Move move, int score, bint is_line) noexcept nogil:
    """Save score, line and nodes of a root move; one that did not raise alpha sorts last."""
    cdef int i, j
    cdef RootMove* root
    for i in range(worker.pv_index, worker.root_count):
        root = &worker.root_moves[i]
        if root.move == move:
            if worker.pv_index == 0:
                root.nodes += worker.nodes - worker.nodes_before
            if not is_line:
                root.score = -INFINITE
                root.most = min(root.most, score)
                return
            root.score = score
            root.most = INFINITE
            root.pv[0] = move
            root.length = 1
            for j in range(clamp(worker.pv_length[1], 0, MAX_PLY - 1)):
                root.pv[j + 1] = worker.pv[1][j]
                root.length += 1
            return


cdef void start_root_move(Worker* worker, Move move, int depth, int number) noexcept nogil:
    """Start the node count of a root move, and publish the move for other threads in one atomic
    word."""
    worker.nodes_before = worker.nodes
    if worker.is_main:
        worker.control.root_status = (
            <uint64_t>depth << 32 | <uint64_t>(number + worker.pv_index) << 16 | move
        )


cdef void sort_root_moves(Worker* worker, int first) noexcept nogil:
    """Insertion sort by score, then by previous score; stable."""
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
    """Does one root move sort before the other?"""
    if one.score != other.score:
        return one.score > other.score
    return one.previous > other.previous


cdef void save_scores(Worker* worker) noexcept nogil:
    """Save the scores of the last iteration before the next one."""
    cdef int i
    worker.previous_best = worker.root_moves[0].move
    for i in range(worker.root_count):
        worker.root_moves[i].previous = worker.root_moves[i].score
        worker.root_moves[i].most = INFINITE


cdef bint is_improved(const Worker* worker) noexcept nogil:
    """Has an unfinished iteration found a better move or score?"""
    cdef const RootMove* root = &worker.root_moves[0]
    return root.score > root.previous or root.move != worker.previous_best


cdef int reported_score(const Worker* worker) noexcept nogil:
    """Score of the first line; the previous one if the iteration is unfinished and found nothing
    better."""
    cdef const RootMove* root = &worker.root_moves[0]
    return root.score if not worker.stopped or is_improved(worker) else root.previous


cdef void discard_unproved_loss(Worker* worker) noexcept nogil:
    """Restore the previous scores if the iteration was stopped while only losing moves had been
    searched."""
    if worker.root_moves[0].score <= -WIN_IN_MAX:
        restore_scores(worker)
        sort_root_moves(worker, 0)


cdef void restore_scores(Worker* worker) noexcept nogil:
    """Replace the scores of this iteration by those of the previous one."""
    cdef int i
    for i in range(worker.root_count):
        worker.root_moves[i].score = worker.root_moves[i].previous
        worker.root_moves[i].most = INFINITE


cdef void rank_unfinished(Worker* worker, int finished, int lines) noexcept nogil:
    """Sort the moves after an iteration that ended inside the line after the first ``finished``
    ones, and set bound and depth of their scores.

    A score that rose in this iteration is a lower bound, one that fell an upper bound; a move that
    was not searched keeps the score of the previous iteration. If the first line is unfinished and
    has found nothing better, it keeps its move, and all lines their previous scores.
    """
    cdef RootMove* root
    cdef int i
    cdef bint is_better_found = is_improved(worker)
    if finished == 0 and not is_better_found:
        restore_scores(worker)
    for i in range(worker.root_count):
        root = &worker.root_moves[i]
        root.depth = worker.root_depth
        root.bound = EXACT
        if i < finished:
            continue
        if root.score == -INFINITE:
            root.score = min(root.previous, root.most)
        if root.score > root.previous or (i == 0 and is_better_found):
            root.bound = LOWER
        elif root.score < root.previous:
            root.bound = UPPER
        else:
            root.depth = worker.completed_depth
    if lines > 1:
        sort_root_moves(worker, 0)


cdef bint set_mate(Worker* worker, const Move* line, int plies) noexcept nogil:
    """Make a mate the first line; False if its first move is no root move."""
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
