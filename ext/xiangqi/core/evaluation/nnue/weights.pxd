"""The numbers of a network, and how they are packed.

A payload is 16-bit numbers, features [feature][neuron], their bias [neuron], output weights
[bucket][own, other][neuron], then 32-bit output biases [bucket], the low byte first.
"""

from xiangqi.core.evaluation.nnue.features cimport OUTPUT_BUCKETS, KingSet
from xiangqi.core.evaluation.nnue.kernel cimport Kernel
from xiangqi.core.moves.defs cimport int16_t, int32_t, uint8_t

cdef enum:
    ACTIVE = 255             # the integer for an activation of 1 ...
    ONE = 64                 # ... and for an output weight of 1
    SCALE = 400              # centipawns for an output of 1

cdef struct Weights:         # of one network; read-only once loaded, shared by all threads
    const Kernel* kernel     # computes with them
    const KingSet* kings     # king buckets of the features
    int hidden               # neurons of one side
    int16_t* features        # [feature][neuron]; the others lie behind it
    int16_t* bias            # [neuron]
    int16_t* output          # [bucket][of the other side?][neuron]
    int16_t* nothing         # [neuron], the row of no feature
    int32_t output_bias[OUTPUT_BUCKETS]

cdef size_t payload_bytes(int hidden, const KingSet* kings) noexcept nogil
cdef Weights* new_weights(const Kernel* kernel, const KingSet* kings) noexcept nogil
cdef void free_weights(Weights* weights) noexcept nogil
cdef int most_of(const Weights* weights, int index) noexcept nogil
cdef int read_weights(Weights* weights, const uint8_t* data) noexcept nogil
