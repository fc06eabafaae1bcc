"""The network: an evaluation learnt from our own games, which follows the search move by move.

An efficiently updatable network (https://www.chessprogramming.org/NNUE): the features of each
side (``features.pxd``) switch on rows of weights whose sum is that side's accumulator; a move
changes two or three rows. The accumulators of the side to move and of the other one, clipped and
squared, are weighed by the output layer for so many pieces.
"""

from xiangqi.core.defs cimport int16_t, int32_t, int64_t, uint8_t
from xiangqi.core.features cimport FEATURES, OUTPUT_BUCKETS, VIEWS
from xiangqi.core.position cimport Position, Undo
from xiangqi.core.scores cimport MAX_PLY

cdef enum:
    HIDDEN = 128             # neurons of one side
    ACTIVE = 255             # the integer for an activation of 1 ...
    ONE = 64                 # ... and for an output weight of 1
    SCALE = 400              # centipawns for an output of 1
    MOST_PLIES = MAX_PLY + 8  # moves that a state can follow

cdef struct Weights:         # of one network; read-only once loaded, shared by all threads
    int16_t features[FEATURES][HIDDEN]
    int16_t bias[HIDDEN]
    int16_t output[OUTPUT_BUCKETS][2][HIDDEN]   # [bucket][of the other side?]
    int32_t output_bias[OUTPUT_BUCKETS]
    int16_t nothing[HIDDEN]  # the row of no feature

cdef struct Step:            # a position of the line being searched, and the move that led there
    int64_t lean[2]
    uint8_t view[2]
    uint8_t is_ready[2]      # has this side's accumulator been worked out?
    uint8_t piece
    uint8_t captured
    uint8_t origin
    uint8_t target

cdef struct Refresh:         # an accumulator and the position that it belongs to
    int16_t values[HIDDEN]
    Position pos

cdef struct NetworkState:    # of one searcher, about 75 kB
    int16_t values[MOST_PLIES][2][HIDDEN]   # accumulators; [ply][side]
    Refresh refreshes[2][VIEWS]
    Step steps[MOST_PLIES]
    int ply
    const Weights* weights

cdef class Network:
    cdef Weights* weights

cdef NetworkState* new_network_state(const Weights* weights) noexcept nogil
cdef void free_network_state(NetworkState* state) noexcept nogil
cdef void network_reset(NetworkState* state, const Position* pos) noexcept nogil
cdef void network_make(NetworkState* state, const Position* pos, const Undo* undo) noexcept nogil
cdef void network_unmake(NetworkState* state) noexcept nogil
cdef int value_from_scratch(const Weights* weights, const Position* pos) noexcept nogil
cdef int network_value(NetworkState* state, const Position* pos) noexcept nogil
