"""The first layer: what each side's features sum up to, followed along a line of moves.

The features of each side (``features.pxd``) switch on rows of weights whose sum is that side's
accumulator; a move changes two or three rows
(https://www.chessprogramming.org/NNUE#Efficiently_Updatable).
"""

from xiangqi.core.evaluation.nnue.features cimport MAX_VIEWS
from xiangqi.core.evaluation.nnue.weights cimport Weights
from xiangqi.core.evaluation.scores cimport MAX_PLY
from xiangqi.core.moves.defs cimport int16_t, int64_t, uint8_t
from xiangqi.core.moves.position cimport Position, Undo

cdef enum:
    MAX_PLIES = MAX_PLY + 8  # moves that a state can follow

cdef struct Step:            # a position of the line being searched, and the move that led there
    int64_t lean[2]
    uint8_t view[2]
    uint8_t is_ready[2]      # has this side's accumulator been worked out?
    uint8_t piece
    uint8_t captured
    uint8_t origin
    uint8_t target

cdef struct NetworkState:    # of one searcher, about 80 kB and 1 kB for each neuron
    const Weights* weights
    int16_t* values          # accumulators of the line: [ply][side][neuron]
    int16_t* refreshed       # and the last ones of each view: [side][view][neuron]
    Position seen[2][MAX_VIEWS]  # the positions that these belong to
    Step steps[MAX_PLIES]
    int ply

cdef NetworkState* new_network_state(const Weights* weights) noexcept nogil
cdef void free_network_state(NetworkState* state) noexcept nogil
cdef void network_reset(NetworkState* state, const Position* pos) noexcept nogil
cdef void network_make(NetworkState* state, const Position* pos, const Undo* undo) noexcept nogil
cdef void network_unmake(NetworkState* state) noexcept nogil
cdef const int16_t* accumulator(
    NetworkState* state, const Position* pos, int color
) noexcept nogil
cdef void accumulate(
    const Weights* weights, const Position* pos, int color, int16_t* values
) noexcept nogil
