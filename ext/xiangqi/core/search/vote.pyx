"""Vote of the threads, as in Stockfish (``ThreadPool::get_best_thread``, thread.cpp): depth and
score of a worker are its weight."""

from xiangqi.core.evaluation.scores cimport INFINITE, WIN_IN_MAX
from xiangqi.core.moves.defs cimport Move, int64_t
from xiangqi.core.search.root_moves cimport reported_score
from xiangqi.core.search.worker cimport Control, Worker

cdef enum:
    MIN_VOTE = 10          # centipawns, the weight of the lowest score


cdef Worker* select_worker(const Control* control) noexcept nogil:
    """Worker whose line is the result; the main worker unless another is preferred."""
    cdef Worker* selected = control.workers[0]
    cdef Worker* worker
    cdef int lowest = INFINITE
    cdef int i
    for i in range(control.worker_count):
        if has_result(control.workers[i]):
            lowest = min(lowest, reported_score(control.workers[i]))
    for i in range(1, control.worker_count):
        worker = control.workers[i]
        if has_result(worker) and is_preferred(control, worker, selected, lowest):
            selected = worker
    return selected


cdef bint has_result(const Worker* worker) noexcept nogil:
    """Has the worker completed an iteration?"""
    return worker.completed_depth > 0


cdef bint is_preferred(
    const Control* control, const Worker* one, const Worker* other, int lowest
) noexcept nogil:
    """Should ``one`` be selected instead of ``other``?

    A proven win is played, the shortest first. Otherwise the votes for the move decide, and among
    helpers with the same move the own vote.
    """
    cdef int score = reported_score(one)
    cdef int other_score = reported_score(other)
    cdef int64_t votes, other_votes
    if not has_result(other):
        return True
    if score >= WIN_IN_MAX or other_score >= WIN_IN_MAX:
        return score > other_score
    votes = votes_for(control, one.root_moves[0].move, lowest)
    other_votes = votes_for(control, other.root_moves[0].move, lowest)
    if votes != other_votes:
        return votes > other_votes
    return not other.is_main and vote_of(one, lowest) > vote_of(other, lowest)


cdef int64_t votes_for(const Control* control, Move move, int lowest) noexcept nogil:
    """Votes of all workers with this move."""
    cdef int64_t votes = 0
    cdef int i
    for i in range(control.worker_count):
        if has_result(control.workers[i]) and control.workers[i].root_moves[0].move == move:
            votes += vote_of(control.workers[i], lowest)
    return votes


cdef int64_t vote_of(const Worker* worker, int lowest) noexcept nogil:
    """Vote of a worker: its score above the lowest, times its depth."""
    return <int64_t>(reported_score(worker) - lowest + MIN_VOTE) * worker.completed_depth
