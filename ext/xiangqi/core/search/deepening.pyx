"""Iterative deepening (https://www.chessprogramming.org/Iterative_Deepening) with aspiration
windows."""

from xiangqi.core.evaluation.scores cimport INFINITE, WIN_IN_MAX
from xiangqi.core.search.params cimport ASPIRATION_WINDOW
from xiangqi.core.search.root_moves cimport (
    discard_unproved_loss, save_scores, sort_root_moves,
)
from xiangqi.core.search.tree cimport negamax
from xiangqi.core.search.worker cimport clamp, param

cdef enum:
    MIN_WINDOW_DEPTH = 4     # the window is open at lower depths
    MAX_WINDOW = 1000        # a wider window is opened fully


cdef int aspiration_search(Worker* worker, int depth) noexcept nogil:
    """One iteration of the line ``pv_index`` in a window around its previous score
    (https://www.chessprogramming.org/Aspiration_Windows). Sorts the root moves."""
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
        if worker.stopped:
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


cdef void help_search(Worker* worker, int helper) noexcept nogil:
    """Search of a helper thread, numbered from 1 (lazy SMP,
    https://www.chessprogramming.org/Lazy_SMP)."""
    cdef int depth = 0
    while depth < MAX_DEPTH and not worker.stopped and not worker.control.stop:
        depth += 1
        if is_skipped(helper, depth):
            continue
        save_scores(worker)
        worker.seldepth = 0
        aspiration_search(worker, depth)
        if not worker.stopped:
            worker.completed_depth = depth
    if worker.stopped:
        discard_unproved_loss(worker)


cdef bint is_skipped(int helper, int depth) noexcept nogil:
    """Does a helper skip this depth?

    The helpers search different depths. As in older Stockfish versions they form groups of 2, 4, 6
    and 8: the nth group alternates between n depths searched and n skipped, each helper at its own
    phase.
    """
    cdef int size = 1
    cdef int phase = (helper - 1) % (2 + 4 + 6 + 8)
    while phase >= 2 * size:
        phase -= 2 * size
        size += 1
    return (depth + phase) // size % 2 == 1
