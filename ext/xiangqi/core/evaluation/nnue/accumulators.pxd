"""The first layer: each side's accumulator, updated along a line of moves.

A side's accumulator is the sum of the rows of weights of its features (``features.pxd``); a move
changes two or three rows
(https://www.chessprogramming.org/NNUE#Efficiently_Updatable).
"""

from xiangqi.core.evaluation.nnue.features cimport MAX_VIEWS
from xiangqi.core.evaluation.nnue.weights cimport Weights
from xiangqi.core.evaluation.scores cimport MAX_PLY
from xiangqi.core.moves.defs cimport int16_t, int64_t, uint8_t
from xiangqi.core.moves.position cimport Position, Undo

cdef enum:
    MAX_PLIES = MAX_PLY + 8  # longest line of a state

cdef struct Step:            # a position of the searched line, and the move that led to it
    int64_t lean[2]
    uint8_t view[2]
    uint8_t is_ready[2]      # is this side's accumulator computed?
    uint8_t piece
    uint8_t captured
    uint8_t origin
    uint8_t target

cdef struct NetworkState:    # one for each worker: about 80 kB, and 1 kB for each neuron
    const Weights* weights
    int16_t* values          # accumulators of the line: [ply][side][neuron]
    int16_t* refreshed       # latest accumulator in each view: [side][view][neuron]
    Position seen[2][MAX_VIEWS]  # the positions of `refreshed`
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
