"""Pruning conditions, with their margins."""

from xiangqi.core.evaluation.scores cimport WIN_IN_MAX
from xiangqi.core.moves.bitboard cimport any_of, union
from xiangqi.core.moves.defs cimport CANNON, KNIGHT, ROOK, Move
from xiangqi.core.moves.position cimport Position, pieces
from xiangqi.core.moves.see cimport see_ge
from xiangqi.core.search.params cimport *
from xiangqi.core.search.worker cimport Worker, clamp, param


# Nodes


cdef inline bint is_reverse_futile(
    const Worker* worker, int depth, bint improving, int eval, int beta
) noexcept nogil:
    """Is the evaluation above beta by a margin?
    (https://www.chessprogramming.org/Reverse_Futility_Pruning)"""
    return (
        depth <= param(worker, REVERSE_FUTILITY_DEPTH)
        and eval - param(worker, REVERSE_FUTILITY_MARGIN) * max(depth - improving, 0) >= beta
        and eval < WIN_IN_MAX
    )


cdef inline int blend_towards(int beta, int score, int percent) noexcept nogil:
    """Unproven score above beta, moved towards beta by ``percent``; a losing beta is no evaluation,
    and leaves it as it is."""
    if beta <= -WIN_IN_MAX:
        return score
    return score + (beta - score) * percent // 100


cdef inline int null_move_reduction(const Worker* worker, int depth, int above) noexcept nogil:
    """Depth reduction of the null-move search, ``above`` beta."""
    return (
        param(worker, NULL_MOVE_BASE)
        + depth * param(worker, NULL_MOVE_SLOPE)
        + clamp(100 * above // param(worker, NULL_MOVE_EVAL_DIVISOR), 0, 300)
    ) // 100


cdef inline bint has_attackers(const Position* pos) noexcept nogil:
    """Has the side to move a rook, knight or cannon, so that zugzwang is unlikely?"""
    return any_of(union(
        union(pieces(pos, pos.turn, ROOK), pieces(pos, pos.turn, KNIGHT)),
        pieces(pos, pos.turn, CANNON),
    ))


# Moves


cdef inline int base_reduction(const Worker* worker, int depth, int number) noexcept nogil:
    """Late-move reduction by depth and move number, in hundredths of a ply."""
    return worker.tuning.reduction[
        clamp(depth, 0, REDUCTION_SIZE - 1)
    ][clamp(number, 0, REDUCTION_SIZE - 1)]


cdef inline bint is_late_move(
    const Worker* worker, int depth, bint improving, int number
) noexcept nogil:
    """Is the move count high enough to skip the remaining quiet moves?
    (https://www.chessprogramming.org/Futility_Pruning#MoveCountBasedPruning)"""
    return depth <= param(worker, LATE_MOVE_PRUNING_DEPTH) and number > (
        param(worker, LATE_MOVE_PRUNING_BASE)
        + param(worker, LATE_MOVE_PRUNING_FACTOR) * depth * depth // (2 - improving)
    )


cdef inline bint is_futile(
    const Worker* worker, int reduced_depth, int static_eval, int alpha
) noexcept nogil:
    """Is the evaluation below alpha by a margin?
    (https://www.chessprogramming.org/Futility_Pruning)"""
    return reduced_depth <= param(worker, FUTILITY_DEPTH) and (
        static_eval + param(worker, FUTILITY_BASE)
        + param(worker, FUTILITY_MARGIN) * reduced_depth <= alpha
    )


cdef inline bint loses_exchange(
    const Worker* worker, Move move, bint quiet, int depth, int reduced_depth
) noexcept nogil:
    """Does the move lose more by SEE than its depth allows?
    (https://www.chessprogramming.org/Static_Exchange_Evaluation)"""
    cdef int allowed = (
        param(worker, SEE_QUIET_MARGIN) * reduced_depth * reduced_depth if quiet
        else param(worker, SEE_CAPTURE_MARGIN) * depth
    )
    return depth <= param(worker, SEE_PRUNING_DEPTH) and not see_ge(&worker.pos, move, -allowed)
