"""The vote of the threads, an idea of Stockfish (``ThreadPool::get_best_thread``, thread.cpp): the
deeper a worker has searched and the better it finds its move, the more it counts.
"""

from xiangqi.core.evaluation.scores cimport INFINITE, WIN_IN_MAX
from xiangqi.core.moves.defs cimport Move, int64_t
from xiangqi.core.search.root_moves cimport known_score
from xiangqi.core.search.worker cimport Control, Worker

cdef enum:
    MIN_VOTE = 10          # centipawns, so that the lowest score counts a little


cdef Worker* elect(const Control* control) noexcept nogil:
    """The worker whose line is the result; the main one, unless another is preferred."""
    cdef Worker* elected = control.workers[0]
    cdef Worker* worker
    cdef int least = INFINITE
    cdef int i
    for i in range(control.worker_count):
        if has_voice(control.workers[i]):
            least = min(least, known_score(control.workers[i]))
    for i in range(1, control.worker_count):
        worker = control.workers[i]
        if has_voice(worker) and is_preferred(control, worker, elected, least):
            elected = worker
    return elected


cdef bint has_voice(const Worker* worker) noexcept nogil:
    """Has it finished an iteration?"""
    return worker.finished > 0


cdef bint is_preferred(
    const Control* control, const Worker* one, const Worker* other, int least
) noexcept nogil:
    """Should the one be elected rather than the other, who was before?

    A win that is proved is played, the shortest of them, even if nobody else has seen it. Otherwise
    the votes for the move decide, and among helpers of one move the worker's own vote.
    """
    cdef int score = known_score(one)
    cdef int other_score = known_score(other)
    cdef int64_t votes, other_votes
    if not has_voice(other):
        return True
    if score >= WIN_IN_MAX or other_score >= WIN_IN_MAX:
        return score > other_score
    votes = votes_for(control, one.root_moves[0].move, least)
    other_votes = votes_for(control, other.root_moves[0].move, least)
    if votes != other_votes:
        return votes > other_votes
    return not other.is_main and vote_of(one, least) > vote_of(other, least)


cdef int64_t votes_for(const Control* control, Move move, int least) noexcept nogil:
    """What the workers with this move say together."""
    cdef int64_t votes = 0
    cdef int i
    for i in range(control.worker_count):
        if has_voice(control.workers[i]) and control.workers[i].root_moves[0].move == move:
            votes += vote_of(control.workers[i], least)
    return votes


cdef int64_t vote_of(const Worker* worker, int least) noexcept nogil:
    return <int64_t>(known_score(worker) - least + MIN_VOTE) * worker.finished
