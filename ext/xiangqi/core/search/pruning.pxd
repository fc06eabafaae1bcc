"""Margins and counts: when a node or a move is not worth a search."""

from xiangqi.core.evaluation.scores cimport WIN_IN_MAX
from xiangqi.core.moves.bitboard cimport any_of, union
from xiangqi.core.moves.defs cimport CANNON, KNIGHT, ROOK, Move
from xiangqi.core.moves.position cimport Position, pieces
from xiangqi.core.moves.see cimport see_ge
from xiangqi.core.search.params cimport *
from xiangqi.core.search.worker cimport Worker, clamp, param


# Nodes


cdef inline bint is_far_above(
    const Worker* worker, int depth, bint improving, int estimate, int beta
) noexcept nogil:
    """So far above beta that a margin holds?
    (https://www.chessprogramming.org/Reverse_Futility_Pruning)"""
    return (
        depth <= param(worker, REVERSE_FUTILITY_DEPTH)
        and estimate - param(worker, REVERSE_FUTILITY_MARGIN) * (depth - improving) >= beta
        and estimate < WIN_IN_MAX
    )


cdef inline int drawn_to(int beta, int score, int share) noexcept nogil:
    """A score above beta that nobody has searched, so many percent nearer to it: a bound that a
    search would not prove is not handed up in full. A lost game's beta is no evaluation to go by.
    """
    if beta <= -WIN_IN_MAX:
        return score
    return score + (beta - score) * share // 100


cdef inline int null_move_reduction(const Worker* worker, int depth, int above) noexcept nogil:
    """How much shallower the search after a pass is, so far above beta."""
    return (
        param(worker, NULL_MOVE_BASE)
        + depth * param(worker, NULL_MOVE_SLOPE)
        + clamp(100 * above // param(worker, NULL_MOVE_EVAL_DIVISOR), 0, 300)
    ) // 100


cdef inline bint has_attackers(const Position* pos) noexcept nogil:
    """Has the side to move a chariot, horse or cannon, so that passing is a fair test?"""
    return any_of(union(
        union(pieces(pos, pos.turn, ROOK), pieces(pos, pos.turn, KNIGHT)),
        pieces(pos, pos.turn, CANNON),
    ))


# Moves


cdef inline int late_reduction(const Worker* worker, int depth, int number) noexcept nogil:
    """By how much a move of this number is reduced, before anything is known of it; in hundredths
    of a ply."""
    return worker.tuning.reduction[
        clamp(depth, 0, REDUCTION_SIDE - 1)
    ][clamp(number, 0, REDUCTION_SIDE - 1)]


cdef inline bint is_late(
    const Worker* worker, int depth, bint improving, int number
) noexcept nogil:
    """Have enough moves been tried to leave out the quiet ones that are left?
    (https://www.chessprogramming.org/Futility_Pruning#MoveCountBasedPruning)"""
    return depth <= param(worker, LATE_MOVE_PRUNING_DEPTH) and number > (
        param(worker, LATE_MOVE_PRUNING_BASE)
        + param(worker, LATE_MOVE_PRUNING_FACTOR) * depth * depth // (2 - improving)
    )


cdef inline bint is_futile(
    const Worker* worker, int reduced_depth, int static_eval, int alpha
) noexcept nogil:
    """Is a quiet move hopeless at this depth? (https://www.chessprogramming.org/Futility_Pruning)
    """
    return reduced_depth <= param(worker, FUTILITY_DEPTH) and (
        static_eval + param(worker, FUTILITY_BASE)
        + param(worker, FUTILITY_MARGIN) * reduced_depth <= alpha
    )


cdef inline bint loses_exchange(
    const Worker* worker, Move move, bint quiet, int depth, int reduced_depth
) noexcept nogil:
    """Does a move lose more by exchange than its depth may make up for?
    (https://www.chessprogramming.org/Static_Exchange_Evaluation)"""
    cdef int allowed = (
        param(worker, SEE_QUIET_MARGIN) * reduced_depth * reduced_depth if quiet
        else param(worker, SEE_CAPTURE_MARGIN) * depth
    )
    return depth <= param(worker, SEE_PRUNING_DEPTH) and not see_ge(&worker.pos, move, -allowed)
