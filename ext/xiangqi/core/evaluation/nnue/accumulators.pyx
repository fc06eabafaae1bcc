"""Incremental accumulators.

*Lazy updates.* A move only records its changes. When a position is evaluated, a side's accumulator
is computed from the last known one in the line, provided that the side's view has not changed
since; for most nodes that is one step.

*Refreshing.* If its view has changed, a side starts from its latest accumulator in this view,
anywhere in the search, and updates it by the difference between the two positions; known as Finny
tables (https://www.chessprogramming.org/NNUE#Accumulator_Refresh_Table).
"""

from libc.string cimport memcpy

from xiangqi.core.evaluation.nnue.features cimport KingSet, LEAN, feature_of, lean_of, view_in
from xiangqi.core.moves.bitboard cimport Bitboard, any_of, differ, pop_lsb, union
from xiangqi.core.moves.defs cimport KINDS, NO_PIECE, RED, SQUARES, from_square, to_square
from xiangqi.core.system.bits cimport ensure
from xiangqi.core.system.memory cimport allocate_pages, free_pages

cdef enum:
    CACHE_LINE = 64       # bytes; alignment of the accumulators


# The line

cdef inline int16_t* values_at(NetworkState* state, int ply, int color) noexcept nogil:
    """A side's accumulator at a ply of the line."""
    return state.values + (2 * ply + color) * state.weights.hidden


cdef inline int16_t* refreshed_at(NetworkState* state, int color, int view) noexcept nogil:
    """A side's latest accumulator in a view."""
    return state.refreshed + (MAX_VIEWS * color + view) * state.weights.hidden


cdef inline void copy(const Weights* weights, int16_t* to, const int16_t* values) noexcept nogil:
    """Copy an accumulator."""
    memcpy(to, values, weights.hidden * sizeof(int16_t))


cdef NetworkState* new_network_state(const Weights* weights) noexcept nogil:
    """Allocate a state for these weights; NULL if memory runs out."""
    cdef size_t head = (sizeof(NetworkState) + CACHE_LINE - 1) // CACHE_LINE * CACHE_LINE
    cdef size_t accumulators = 2 * (MAX_PLIES + MAX_VIEWS)
    cdef NetworkState* state = <NetworkState*>allocate_pages(
        head + accumulators * weights.hidden * sizeof(int16_t)
    )
    cdef int color, view
    if state != NULL:
        state.weights = weights
        state.values = <int16_t*>(<uint8_t*>state + head)
        state.refreshed = state.values + 2 * MAX_PLIES * weights.hidden
        for color in range(2):
            for view in range(MAX_VIEWS):  # the accumulator of an empty board
                copy(weights, refreshed_at(state, color, view), weights.bias)
    return state


cdef void free_network_state(NetworkState* state) noexcept nogil:
    """Free the memory; NULL is allowed."""
    free_pages(state)


cdef void network_reset(NetworkState* state, const Position* pos) noexcept nogil:
    """Start from a new position."""
    cdef const KingSet* kings = state.weights.kings
    cdef Step* step = &state.steps[0]
    cdef int color
    state.ply = 0
    for color in range(2):
        step.lean[color] = lean_of(pos, color)
        step.view[color] = view_in(kings, pos, color, step.lean[color])
        step.is_ready[color] = False


cdef void network_make(NetworkState* state, const Position* pos, const Undo* undo) noexcept nogil:
    """Update for a move that has been made."""
    cdef const Step* before = &state.steps[state.ply]
    cdef Step* step = &state.steps[state.ply + 1]
    cdef int origin = from_square(undo.move)
    cdef int target = to_square(undo.move)
    cdef int piece = pos.board[target]
    cdef const KingSet* kings = state.weights.kings
    cdef int color
    state.ply += 1
    ensure(state.ply < MAX_PLIES)
    step.piece = piece
    step.captured = undo.captured
    step.origin = origin
    step.target = target
    for color in range(2):
        step.lean[color] = (
            before.lean[color] + LEAN[color][piece][target] - LEAN[color][piece][origin]
            - LEAN[color][undo.captured][target]
        )
        step.view[color] = view_in(kings, pos, color, step.lean[color])
        step.is_ready[color] = False


cdef void network_unmake(NetworkState* state) noexcept nogil:
    """Update for a move that has been unmade."""
    state.ply -= 1


# Accumulators


cdef inline const int16_t* row_of(
    const Weights* weights, int color, int view, int piece, int square
) noexcept nogil:
    """A side's row of weights for a piece on a square; zeros for an empty square."""
    if piece == NO_PIECE:
        return weights.nothing
    return weights.features + feature_of(color, view, piece, square) * weights.hidden


cdef void follow(NetworkState* state, int color, int ply) noexcept nogil:
    """Compute an accumulator from the previous one in the line, which has the same view."""
    cdef Step* step = &state.steps[ply]
    cdef const Weights* weights = state.weights
    cdef int view = step.view[color]
    weights.kernel.change(
        values_at(state, ply, color), values_at(state, ply - 1, color),
        row_of(weights, color, view, step.piece, step.target),
        row_of(weights, color, view, step.piece, step.origin),
        row_of(weights, color, view, step.captured, step.target),
    )
    step.is_ready[color] = True


cdef Bitboard differing(const Position* one, const Position* other) noexcept nogil:
    """The squares on which two positions differ."""
    cdef Bitboard found = differ(one.by_color[RED], other.by_color[RED])
    cdef int kind
    for kind in range(1, KINDS):
        found = union(found, differ(one.by_kind[kind], other.by_kind[kind]))
    return found


cdef void refresh(NetworkState* state, const Position* pos, int color) noexcept nogil:
    """Compute the present position's accumulator from the latest one in its view."""
    cdef Step* step = &state.steps[state.ply]
    cdef int view = step.view[color]
    cdef const Weights* weights = state.weights
    cdef int16_t* values = refreshed_at(state, color, view)
    cdef Position* last = &state.seen[color][view]
    cdef Bitboard left = differing(last, pos)
    cdef int square
    while any_of(left):
        square = pop_lsb(&left)
        weights.kernel.change(
            values, values,
            row_of(weights, color, view, pos.board[square], square),
            row_of(weights, color, view, last.board[square], square),
            weights.nothing,
        )
    last[0] = pos[0]
    copy(weights, values_at(state, state.ply, color), values)
    step.is_ready[color] = True


cdef const int16_t* accumulator(
    NetworkState* state, const Position* pos, int color
) noexcept nogil:
    """A side's accumulator for the present position, computed if necessary."""
    cdef int ply = state.ply
    cdef int view = state.steps[ply].view[color]
    while not state.steps[ply].is_ready[color]:
        if ply == 0 or state.steps[ply - 1].view[color] != view:
            refresh(state, pos, color)
            return values_at(state, state.ply, color)
        ply -= 1
    while ply < state.ply:
        ply += 1
        follow(state, color, ply)
    return values_at(state, ply, color)


cdef void accumulate(
    const Weights* weights, const Position* pos, int color, int16_t* values
) noexcept nogil:
    """A side's accumulator from scratch."""
    cdef int view = view_in(weights.kings, pos, color, lean_of(pos, color))
    cdef int square
    copy(weights, values, weights.bias)
    for square in range(SQUARES):
        weights.kernel.change(
            values, values, row_of(weights, color, view, pos.board[square], square),
            weights.nothing, weights.nothing,
        )
