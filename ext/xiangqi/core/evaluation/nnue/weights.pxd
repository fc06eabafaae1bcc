"""A network's weights and their packed format.

A payload has 16-bit feature weights [feature][neuron], biases [neuron] and output weights
[bucket][own, other][neuron], then 32-bit output biases [bucket]; all are little-endian.
"""

from xiangqi.core.evaluation.nnue.features cimport OUTPUT_BUCKETS, KingSet
from xiangqi.core.evaluation.nnue.kernel cimport Kernel
from xiangqi.core.moves.defs cimport int16_t, int32_t, uint8_t

cdef enum:
    ACTIVE = 255             # the integer for an activation of 1
    ONE = 64                 # the integer for an output weight of 1
    SCALE = 400              # centipawns for an output of 1

cdef struct Weights:         # of one network; read-only once loaded, shared by all threads
    const Kernel* kernel
    const KingSet* kings     # king buckets of the features
    int hidden               # neurons of one side
    int16_t* features        # [feature][neuron]; the arrays below follow it in memory
    int16_t* bias            # [neuron]
    int16_t* output          # [bucket][own, other][neuron]
    int16_t* nothing         # [neuron]: zeros, the row of an empty square
    int32_t output_bias[OUTPUT_BUCKETS]

cdef size_t payload_bytes(int hidden, const KingSet* kings) noexcept nogil
cdef Weights* new_weights(const Kernel* kernel, const KingSet* kings) noexcept nogil
cdef void free_weights(Weights* weights) noexcept nogil
cdef int weight_limit(const Weights* weights, int index) noexcept nogil
cdef int read_weights(Weights* weights, const uint8_t* data) noexcept nogil
