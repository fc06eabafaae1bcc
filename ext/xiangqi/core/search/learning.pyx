"""Correction history, and updates of the move histories."""

from xiangqi.core.evaluation.scores cimport NO_SCORE, WIN_IN_MAX
from xiangqi.core.moves.defs cimport NO_MOVE, NO_PIECE, from_square, int16_t, kind_of, to_square
from xiangqi.core.search.history cimport (
    CONTINUATION_PLIES, CONTINUATIONS, HISTORY_LIMIT, NEAR_CONTINUATIONS, Histories, update_history,
    non_pawn_key, pawn_key, pawn_row, piece_to,
)
from xiangqi.core.search.params cimport (
    CORRECTION_LINE, CORRECTION_PAWNS, CORRECTION_PIECES, CORRECTION_WEIGHT, FAIL_LOW_BONUS,
    GAIN_BONUS, GAIN_BONUS_MOST, GAIN_CONTINUATION, HISTORY_MOST, HISTORY_SLOPE, MALUS_FALL,
    MALUS_MOST, MALUS_SLOPE, REFUTED_MALUS, TABLE_CUTOFF_BONUS,
)
from xiangqi.core.search.worker cimport Stack, clamp, stack_at, param
from xiangqi.core.system.bits cimport prefetch_line

cdef enum:
    CORRECTION_SCALE = 256   # fixed-point scale of the correction history
    MAX_ERROR = 64          # centipawns of one update
    MAX_WEIGHT = 16         # of one update, in plies of its depth
    FULL_SHARE = 128        # share parameter for full weight
    EARLY_MOVES = 2         # moves of a node that are punished when refuted


# Corrections


cdef void find_corrections(Worker* worker, int ply, Corrections* found) noexcept nogil:
    """Find and prefetch the correction counters of the position
    (https://www.chessprogramming.org/Static_Evaluation_Correction_History)."""
    cdef Histories* histories = worker.histories
    cdef int turn = worker.pos.turn
    cdef int last = stack_at(worker, ply - 1).piece_to
    cdef int before = stack_at(worker, ply - 2).piece_to
    cdef int color, i
    found.count = POSITION_CORRECTIONS
    if last >= 0 and before >= 0:
        found.counters[POSITION_CORRECTIONS] = &histories.continuation_correction[before][last]
        found.count = MAX_CORRECTIONS
    found.counters[0] = &histories.pawn_correction[turn][pawn_key(&worker.pos)]
    for color in range(2):
        found.counters[1 + color] = &histories.non_pawn_correction[turn][color][
            non_pawn_key(&worker.pos, color)
        ]
    for i in range(found.count):
        prefetch_line(found.counters[i])


cdef int corrected_eval(
    const Worker* worker, const Corrections* corrections, int static_eval
) noexcept nogil:
    """Static evaluation plus the weighted corrections."""
    cdef int shares[MAX_CORRECTIONS]
    cdef int correction = 0
    cdef int i
    shares[:] = [
        param(worker, CORRECTION_PAWNS), param(worker, CORRECTION_PIECES),
        param(worker, CORRECTION_PIECES), param(worker, CORRECTION_LINE),
    ]
    for i in range(corrections.count):
        correction += shares[i] * corrections.counters[i][0]
    return clamp(
        static_eval + correction // (FULL_SHARE * CORRECTION_SCALE),
        1 - WIN_IN_MAX, WIN_IN_MAX - 1,
    )


cdef void update_corrections(
    const Worker* worker, const Corrections* corrections, int depth, int error
) noexcept nogil:
    """Move the corrections towards ``error``, search score less static evaluation; deep searches
    weigh more."""
    cdef int16_t* counter
    cdef int inertia = param(worker, CORRECTION_WEIGHT)
    cdef int weight = clamp(depth + 1, 1, MAX_WEIGHT)
    cdef int wanted = clamp(error, -MAX_ERROR, MAX_ERROR) * CORRECTION_SCALE
    cdef int i
    for i in range(corrections.count):
        counter = corrections.counters[i]
        counter[0] = clamp(
            (counter[0] * (inertia - weight) + wanted * weight) // inertia,
            -HISTORY_LIMIT, HISTORY_LIMIT,
        )


# Move histories


cdef inline int history_bonus(const Worker* worker, int depth) noexcept nogil:
    """History bonus at this depth."""
    return min(param(worker, HISTORY_SLOPE) * depth, param(worker, HISTORY_MOST))


cdef inline int history_malus(const Worker* worker, int depth, int index) noexcept nogil:
    """History malus at this depth of the move tried at ``index``, from 0; later moves have less."""
    cdef int malus = min(param(worker, MALUS_SLOPE) * depth, param(worker, MALUS_MOST))
    return 100 * malus // (100 + param(worker, MALUS_FALL) * index)


cdef inline bint is_after_quiet(Worker* worker, int ply) noexcept nogil:
    """Is the previous move a quiet one, and no null move?"""
    return (
        stack_at(worker, ply - 1).move != NO_MOVE
        and worker.history[worker.plies - 1].captured == NO_PIECE
    )


cdef inline void update_continuations(
    Worker* worker, int ply, int index, int count, int bonus
) noexcept nogil:
    """Update the continuation history of a move with the first ``count`` earlier moves."""
    cdef int back, before
    for back in range(count):
        before = stack_at(worker, ply - CONTINUATION_PLIES[back]).piece_to
        if before >= 0:
            update_history(&worker.histories.continuation[before][index], bonus)


cdef void update_quiet(Worker* worker, int ply, Move move, int bonus) noexcept nogil:
    """Update all histories of a quiet move at this ply."""
    cdef int index = piece_to(worker.pos.board[from_square(move)], to_square(move))
    update_history(&worker.histories.butterfly[worker.pos.turn][move], bonus)
    update_history(&pawn_row(worker.histories, &worker.pos)[index], bonus)
    update_continuations(worker, ply, index, CONTINUATIONS, bonus)


cdef void update_on_tt_cutoff(Worker* worker, int ply, int depth, Move move) noexcept nogil:
    """Reward the table move, if it is quiet, after a table cut-off."""
    cdef int bonus = history_bonus(worker, depth) * param(worker, TABLE_CUTOFF_BONUS) // 100
    if worker.pos.board[to_square(move)] == NO_PIECE:
        update_quiet(worker, ply, move, bonus)


cdef void update_on_gain(Worker* worker, int ply) noexcept nogil:
    """Reward or punish the previous move, if it is quiet, by the static evaluation that it gained
    or lost (https://github.com/official-stockfish/Stockfish, search.cpp)."""
    cdef const Stack* ss = stack_at(worker, ply - 1)
    cdef int most = param(worker, GAIN_BONUS_MOST)
    cdef int gain, bonus
    if ss.static_eval == NO_SCORE or not is_after_quiet(worker, ply):
        return
    gain = -ss.static_eval - stack_at(worker, ply).static_eval
    bonus = clamp(param(worker, GAIN_BONUS) * gain, -most, most)
    update_history(&worker.histories.butterfly[worker.pos.turn ^ 1][ss.move], bonus)
    update_continuations(
        worker, ply - 1, ss.piece_to, NEAR_CONTINUATIONS,
        bonus * param(worker, GAIN_CONTINUATION) // 100,
    )


cdef void update_on_fail_low(Worker* worker, int ply, int depth) noexcept nogil:
    """Reward the previous move, if it is quiet, when all moves fail low."""
    cdef const Stack* ss = stack_at(worker, ply - 1)
    cdef int bonus = history_bonus(worker, depth) * param(worker, FAIL_LOW_BONUS) // 100
    if not is_after_quiet(worker, ply):
        return
    update_history(&worker.histories.butterfly[worker.pos.turn ^ 1][ss.move], bonus)
    update_continuations(worker, ply - 1, ss.piece_to, NEAR_CONTINUATIONS, bonus)


cdef void update_capture(Worker* worker, Move move, int bonus) noexcept nogil:
    """Update the capture history of a move."""
    cdef int target = to_square(move)
    cdef int index = piece_to(worker.pos.board[from_square(move)], target)
    update_history(&worker.histories.captures[index][kind_of(worker.pos.board[target])], bonus)


cdef inline void punish_refuted(Worker* worker, int ply, int depth) noexcept nogil:
    """Punish the previous move, now refuted, if it is quiet, among the first of its node and not
    that of the table (https://github.com/official-stockfish/Stockfish, search.cpp)."""
    cdef const Stack* ss = stack_at(worker, ply - 1)
    cdef int malus = history_bonus(worker, depth) * param(worker, REFUTED_MALUS) // 100
    if is_after_quiet(worker, ply) and ss.number <= EARLY_MOVES and not ss.is_table_move:
        update_continuations(worker, ply - 1, ss.piece_to, NEAR_CONTINUATIONS, -malus)


cdef void update_on_cutoff(
    Worker* worker, int ply, int depth, Move best, const Move* tried, int count
) noexcept nogil:
    """Reward the move that failed high; punish the moves tried before it and the one it refutes."""
    cdef Histories* histories = worker.histories
    cdef int bonus = history_bonus(worker, depth)
    cdef int before = stack_at(worker, ply - 1).piece_to
    cdef bint quiet = worker.pos.board[to_square(best)] == NO_PIECE
    cdef int i, malus
    punish_refuted(worker, ply, depth)
    if quiet:
        if histories.killers[ply][0] != best:
            histories.killers[ply][1] = histories.killers[ply][0]
            histories.killers[ply][0] = best
        if before >= 0:
            histories.counter[before] = best
        update_quiet(worker, ply, best, bonus)
    else:
        update_capture(worker, best, bonus)
    for i in range(count):
        if tried[i] == best:
            continue
        malus = history_malus(worker, depth, i)
        if worker.pos.board[to_square(tried[i])] != NO_PIECE:
            update_capture(worker, tried[i], -malus)
        elif quiet:
            update_quiet(worker, ply, tried[i], -malus)
