"""Output layer: accumulators to centipawns."""

from xiangqi.core.evaluation.nnue.accumulators cimport accumulate, accumulator
from xiangqi.core.evaluation.nnue.features cimport output_bucket
from xiangqi.core.evaluation.nnue.kernel cimport MAX_HIDDEN
from xiangqi.core.evaluation.nnue.weights cimport ACTIVE, ONE, SCALE
from xiangqi.core.evaluation.scores cimport MAX_VALUE
from xiangqi.core.moves.defs cimport int16_t, int64_t
from xiangqi.core.system.bits cimport ensure


cdef int weigh(
    const Weights* weights, const Position* pos, const int16_t* own, const int16_t* other
) noexcept nogil:
    """Apply the output layer to the accumulators of the side to move and the other side; return
    centipawns."""
    cdef int bucket = output_bucket(pos)
    cdef const int16_t* output = weights.output + 2 * bucket * weights.hidden
    cdef int64_t sum = (
        weights.kernel.weigh(own, output) + weights.kernel.weigh(other, output + weights.hidden)
    )
    sum = (sum // ACTIVE + weights.output_bias[bucket]) * SCALE // (ACTIVE * ONE)
    return <int>max(-<int64_t>MAX_VALUE, min(<int64_t>MAX_VALUE, sum))


cdef int value_from_scratch(const Weights* weights, const Position* pos) noexcept nogil:
    """Value of the position from the side to move, computed without a state."""
    cdef int16_t[2][MAX_HIDDEN] values
    cdef int color
    for color in range(2):
        accumulate(weights, pos, color, values[color])
    return weigh(weights, pos, values[pos.turn], values[pos.turn ^ 1])


cdef int network_value(NetworkState* state, const Position* pos) noexcept nogil:
    """Value of the state's position from the side to move."""
    cdef int us = pos.turn
    cdef int value = weigh(
        state.weights, pos, accumulator(state, pos, us), accumulator(state, pos, us ^ 1)
    )
    ensure(value == value_from_scratch(state.weights, pos))
    return value
