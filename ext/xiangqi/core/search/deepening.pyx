"""Iterations (https://www.chessprogramming.org/Iterative_Deepening) and their windows."""

from xiangqi.core.evaluation.scores cimport INFINITE, WIN_IN_MAX
from xiangqi.core.search.params cimport ASPIRATION_WINDOW
from xiangqi.core.search.root_moves cimport (
    drop_unproved_loss, remember_scores, sort_root_moves,
)
from xiangqi.core.search.tree cimport negamax
from xiangqi.core.search.worker cimport clamp, param

cdef enum:
    MIN_WINDOW_DEPTH = 4       # shallower iterations say too little of the next one
    MAX_WINDOW = 1000     # a wider one is opened wholly


cdef int search_depth(Worker* worker, int depth) noexcept nogil:
    """One iteration for the line at ``pv_index``, in a window around the last score
    (https://www.chessprogramming.org/Aspiration_Windows). The root moves end up sorted."""
    cdef int window = param(worker, ASPIRATION_WINDOW)
    cdef int previous = worker.root_moves[worker.pv_index].previous
    cdef int alpha = -INFINITE
    cdef int beta = INFINITE
    cdef int score
    worker.root_depth = depth
    worker.failed_low = False
    if depth >= MIN_WINDOW_DEPTH and previous > -WIN_IN_MAX and previous < WIN_IN_MAX:
        alpha = previous - window
        beta = previous + window
    while True:
        score = negamax(worker, alpha, beta, depth, 0, False)
        sort_root_moves(worker, worker.pv_index)
        if worker.over:
            return score
        if score <= alpha:
            beta = (alpha + beta) // 2
            alpha = clamp(score - window, -INFINITE, INFINITE)
            worker.failed_low = worker.pv_index == 0
        elif score >= beta:
            beta = clamp(score + window, -INFINITE, INFINITE)
            worker.failed_low = False
        else:
            return score
        window += window // 2
        if window > MAX_WINDOW:
            alpha = -INFINITE
            beta = INFINITE


cdef void deepen(Worker* worker, int helper) noexcept nogil:
    """A helper's search, until the others are done (lazy SMP: they meet in the table,
    https://www.chessprogramming.org/Lazy_SMP). Helpers are numbered from 1."""
    cdef int depth = 0
    while depth < MAX_DEPTH and not worker.over and not worker.control.stop:
        depth += 1
        if is_skipped(helper, depth):
            continue
        remember_scores(worker)
        worker.seldepth = 0
        search_depth(worker, depth)
        if not worker.over:
            worker.finished = depth
    if worker.over:
        drop_unproved_loss(worker)


cdef bint is_skipped(int helper, int depth) noexcept nogil:
    """Does a helper leave this depth to the others?

    They would do the same work if they all searched the same depths. As Stockfish once did, the
    helpers form groups of 2, 4, 6 and 8: the nth group searches n depths and leaves out n by turns,
    each of its helpers at another phase.
    """
    cdef int size = 1
    cdef int phase = (helper - 1) % (2 + 4 + 6 + 8)
    while phase >= 2 * size:
        phase -= 2 * size
        size += 1
    return (depth + phase) // size % 2 == 1
