"""Static evaluation of the search: the network, corrected in endings that the material decides."""

from xiangqi.core.evaluation.lone cimport is_lone, lone_value
from xiangqi.core.evaluation.nnue.accumulators cimport NetworkState
from xiangqi.core.evaluation.nnue.output cimport network_value
from xiangqi.core.moves.position cimport Position


cdef inline int evaluate(const Position* pos, NetworkState* network) noexcept nogil:
    """Value of the state's position in centipawns, from the side to move."""
    cdef int value = network_value(network, pos)
    return lone_value(pos, value) if is_lone(pos) else value
