"""History and correction tables in use."""

from xiangqi.core.evaluation.scores cimport WIN_IN_MAX
from xiangqi.core.moves.defs cimport NO_MOVE, NO_PIECE, from_square, int16_t, kind_of, to_square
from xiangqi.core.search.history cimport (
    CONTINUATION_PLIES, CONTINUATIONS, HISTORY_LIMIT, NEAR_CONTINUATIONS, Histories, adjust,
    men_index, pawn_index, pawn_row, piece_to,
)
from xiangqi.core.search.params cimport (
    CORRECTION_LINE, CORRECTION_MEN, CORRECTION_PAWNS, CORRECTION_WEIGHT, FAIL_LOW_BONUS,
    HISTORY_MOST, HISTORY_SLOPE, TABLE_CUTOFF_BONUS,
)
from xiangqi.core.search.worker cimport Frame, clamp, frame_at, param
from xiangqi.core.system.bits cimport prefetch

cdef enum:
    CORRECTION_GRAIN = 256   # of the correction history's fixed-point numbers
    MAX_ERROR = 64          # centipawns that one result may move a correction by
    MAX_WEIGHT = 16         # of one result, in plies of its depth
    WHOLE_SHARE = 128        # of a correction that counts in full


# Corrections


cdef void find_corrections(Worker* worker, int ply, Corrections* found) noexcept nogil:
    """The counters of all that is alike in other positions
    (https://www.chessprogramming.org/Static_Evaluation_Correction_History). The memory is asked
    for them: find them some time before they are read."""
    cdef Histories* histories = worker.histories
    cdef int turn = worker.pos.turn
    cdef int last = frame_at(worker, ply - 1).place
    cdef int before = frame_at(worker, ply - 2).place
    cdef int color, i
    found.count = LASTING_CORRECTIONS
    if last >= 0 and before >= 0:
        found.counters[LASTING_CORRECTIONS] = &histories.line_correction[before][last]
        found.count = MAX_CORRECTIONS
    found.counters[0] = &histories.pawn_correction[turn][pawn_index(&worker.pos)]
    for color in range(2):
        found.counters[1 + color] = &histories.men_correction[turn][color][
            men_index(&worker.pos, color)
        ]
    for i in range(found.count):
        prefetch(found.counters[i])


cdef int corrected_eval(
    const Worker* worker, const Corrections* corrections, int static_eval
) noexcept nogil:
    """The static evaluation, moved by what the search found in such positions before."""
    cdef int shares[MAX_CORRECTIONS]
    cdef int correction = 0
    cdef int i
    shares[:] = [
        param(worker, CORRECTION_PAWNS), param(worker, CORRECTION_MEN),
        param(worker, CORRECTION_MEN), param(worker, CORRECTION_LINE),
    ]
    for i in range(corrections.count):
        correction += shares[i] * corrections.counters[i][0]
    return clamp(
        static_eval + correction // (WHOLE_SHARE * CORRECTION_GRAIN),
        1 - WIN_IN_MAX, WIN_IN_MAX - 1,
    )


cdef void learn_correction(
    const Worker* worker, const Corrections* corrections, int depth, int error
) noexcept nogil:
    """Move the corrections towards what the static evaluation missed; deep searches weigh more."""
    cdef int16_t* counter
    cdef int inertia = param(worker, CORRECTION_WEIGHT)
    cdef int weight = clamp(depth + 1, 1, MAX_WEIGHT)
    cdef int wanted = clamp(error, -MAX_ERROR, MAX_ERROR) * CORRECTION_GRAIN
    cdef int i
    for i in range(corrections.count):
        counter = corrections.counters[i]
        counter[0] = clamp(
            (counter[0] * (inertia - weight) + wanted * weight) // inertia,
            -HISTORY_LIMIT, HISTORY_LIMIT,
        )


# Cut-offs


cdef inline int history_bonus(const Worker* worker, int depth) noexcept nogil:
    """What a result at this depth is worth to the move that brought it."""
    return min(param(worker, HISTORY_SLOPE) * depth, param(worker, HISTORY_MOST))


cdef inline void adjust_continuations(
    Worker* worker, int ply, int place, int count, int bonus
) noexcept nogil:
    """What a move of this ply is worth after so many of the earlier moves that are remembered."""
    cdef int back, before
    for back in range(count):
        before = frame_at(worker, ply - CONTINUATION_PLIES[back]).place
        if before >= 0:
            adjust(&worker.histories.continuation[before][place], bonus)


cdef void adjust_quiet(Worker* worker, int ply, Move move, int bonus) noexcept nogil:
    """All histories of a quiet move at this ply."""
    cdef int place = piece_to(worker.pos.board[from_square(move)], to_square(move))
    adjust(&worker.histories.butterfly[worker.pos.turn][move], bonus)
    adjust(&pawn_row(worker.histories, &worker.pos)[place], bonus)
    adjust_continuations(worker, ply, place, CONTINUATIONS, bonus)


cdef void learn_table_cutoff(Worker* worker, int ply, int depth, Move move) noexcept nogil:
    """The table knows that this move cuts off: reward it, if it is quiet."""
    cdef int bonus = history_bonus(worker, depth) * param(worker, TABLE_CUTOFF_BONUS) // 100
    if worker.pos.board[to_square(move)] == NO_PIECE:
        adjust_quiet(worker, ply, move, bonus)


cdef void learn_fail_low(Worker* worker, int ply, int depth) noexcept nogil:
    """No move is good enough here: reward the one that led here, if it was quiet."""
    cdef const Frame* frame = frame_at(worker, ply - 1)
    cdef int bonus = history_bonus(worker, depth) * param(worker, FAIL_LOW_BONUS) // 100
    if frame.move == NO_MOVE or worker.history[worker.plies - 1].captured != NO_PIECE:
        return
    adjust(&worker.histories.butterfly[worker.pos.turn ^ 1][frame.move], bonus)
    adjust_continuations(worker, ply - 1, frame.place, NEAR_CONTINUATIONS, bonus)


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
