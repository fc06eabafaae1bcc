"""Output layer: both accumulators, clipped, squared and weighted; weights by number of pieces."""

from xiangqi.core.evaluation.nnue.accumulators cimport NetworkState
from xiangqi.core.evaluation.nnue.weights cimport Weights
from xiangqi.core.moves.position cimport Position

cdef int value_from_scratch(const Weights* weights, const Position* pos) noexcept nogil
cdef int network_value(NetworkState* state, const Position* pos) noexcept nogil
