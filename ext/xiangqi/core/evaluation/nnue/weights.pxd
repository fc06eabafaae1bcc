"""The numbers of a network, and how they are packed.

A payload is 16-bit numbers, features [FEATURES][HIDDEN], their bias [HIDDEN], output weights
[bucket][own, other][HIDDEN], then 32-bit output biases [bucket], the low byte first.
"""

from xiangqi.core.evaluation.nnue.features cimport FEATURES, OUTPUT_BUCKETS
from xiangqi.core.evaluation.nnue.kernel cimport Kernel
from xiangqi.core.moves.defs cimport int16_t, int32_t, uint8_t

cdef enum:
    HIDDEN = 128             # neurons of one side
    ACTIVE = 255             # the integer for an activation of 1 ...
    ONE = 64                 # ... and for an output weight of 1
    SCALE = 400              # centipawns for an output of 1

cdef enum:  # The numbers of a network in their order
    BIAS_AT = FEATURES * HIDDEN
    OUTPUT_AT = BIAS_AT + HIDDEN
    OUTPUT_BIAS_AT = OUTPUT_AT + OUTPUT_BUCKETS * 2 * HIDDEN
    PAYLOAD_BYTES = 2 * OUTPUT_BIAS_AT + 4 * OUTPUT_BUCKETS

cdef struct Weights:         # of one network; read-only once loaded, shared by all threads
    int16_t features[FEATURES][HIDDEN]
    int16_t bias[HIDDEN]
    int16_t output[OUTPUT_BUCKETS][2][HIDDEN]   # [bucket][of the other side?]
    int32_t output_bias[OUTPUT_BUCKETS]
    int16_t nothing[HIDDEN]  # the row of no feature
    const Kernel* kernel     # reckons with them

cdef int most_of(int index) noexcept nogil
cdef int read_weights(Weights* weights, const uint8_t* data) noexcept nogil
