"""History and correction tables in use."""

from xiangqi.core.evaluation.scores cimport LEAST_DECIDED
from xiangqi.core.moves.defs cimport NO_PIECE, from_square, int16_t, kind_of, to_square
from xiangqi.core.search.history cimport (
    HISTORY_LIMIT, Histories, adjust, correction_index, piece_to,
)
from xiangqi.core.search.params cimport CORRECTION_WEIGHT, HISTORY_MOST, HISTORY_SLOPE
from xiangqi.core.search.worker cimport clamp, frame_at, param

cdef enum:
    CORRECTION_GRAIN = 256   # of the correction history's fixed-point numbers
    MOST_ERROR = 64          # centipawns that one result may move a correction by
    MOST_WEIGHT = 16         # of one result, in plies of its depth


# Corrections


cdef int corrected_eval(Worker* worker, int static_eval) noexcept nogil:
    """The static evaluation, moved by what the search found for such soldiers before."""
    cdef int correction = worker.histories.correction[worker.pos.turn][
        correction_index(&worker.pos)
    ]
    return clamp(
        static_eval + correction // CORRECTION_GRAIN, 1 - LEAST_DECIDED, LEAST_DECIDED - 1
    )


cdef void learn_correction(Worker* worker, int depth, int error) noexcept nogil:
    """Move the correction towards what the static evaluation missed; deep searches weigh more."""
    cdef int16_t* counter = &worker.histories.correction[worker.pos.turn][
        correction_index(&worker.pos)
    ]
    cdef int weight = clamp(depth + 1, 1, MOST_WEIGHT)
    cdef int wanted = clamp(error, -MOST_ERROR, MOST_ERROR) * CORRECTION_GRAIN
    counter[0] = clamp(
        (counter[0] * (param(worker, CORRECTION_WEIGHT) - weight) + wanted * weight)
        // param(worker, CORRECTION_WEIGHT),
        -HISTORY_LIMIT, HISTORY_LIMIT,
    )


# Cut-offs


cdef int history_bonus(const Worker* worker, int depth) noexcept nogil:
    return min(param(worker, HISTORY_SLOPE) * depth, param(worker, HISTORY_MOST))


cdef void adjust_quiet(Worker* worker, int ply, Move move, int bonus) noexcept nogil:
    """Butterfly and continuation histories of a quiet move at this ply."""
    cdef Histories* histories = worker.histories
    cdef int place = piece_to(worker.pos.board[from_square(move)], to_square(move))
    cdef int back, before
    adjust(&histories.butterfly[worker.pos.turn][move], bonus)
    for back in range(1, 3):
        before = frame_at(worker, ply - back).place
        if before >= 0:
            adjust(&histories.continuation[before][place], bonus)


cdef void adjust_capture(Worker* worker, Move move, int bonus) noexcept nogil:
    cdef int target = to_square(move)
    cdef int place = piece_to(worker.pos.board[from_square(move)], target)
    adjust(&worker.histories.captures[place][kind_of(worker.pos.board[target])], bonus)


cdef void learn_cutoff(
    Worker* worker, int ply, int depth, Move best, const Move* tried, int count
) noexcept nogil:
    """Reward the move that cut off and blame those tried before it."""
    cdef Histories* histories = worker.histories
    cdef int bonus = history_bonus(worker, depth)
    cdef int before = frame_at(worker, ply - 1).place
    cdef bint quiet = worker.pos.board[to_square(best)] == NO_PIECE
    cdef int i
    if quiet:
        if histories.killers[ply][0] != best:
            histories.killers[ply][1] = histories.killers[ply][0]
            histories.killers[ply][0] = best
        if before >= 0:
            histories.counter[before] = best
        adjust_quiet(worker, ply, best, bonus)
    else:
        adjust_capture(worker, best, bonus)
    for i in range(count):
        if tried[i] == best:
            continue
        if worker.pos.board[to_square(tried[i])] != NO_PIECE:
            adjust_capture(worker, tried[i], -bonus)
        elif quiet:
            adjust_quiet(worker, ply, tried[i], -bonus)
