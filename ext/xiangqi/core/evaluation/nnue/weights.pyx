"""Allocation and reading of a network's weights."""

from xiangqi.core.moves.defs cimport uint32_t
from xiangqi.core.system.memory cimport allocate_pages, free_pages

cdef enum:  # Bounds that exclude overflow in every position
    MAX_WEIGHT = 511     # of a feature: the sum of 32 and a bias fits into 16 bits
    MAX_BIAS = 16383
    MAX_OUTPUT = 127     # a product with an activation fits into 16 bits, 256 with squares into 32

cdef enum:
    CACHE_LINE = 64      # bytes; alignment of the rows


cdef int packed_numbers(int hidden, const KingSet* kings) noexcept nogil:
    """Number of 16-bit weights of a network."""
    return (kings.features + 1 + 2 * OUTPUT_BUCKETS) * hidden


cdef size_t payload_bytes(int hidden, const KingSet* kings) noexcept nogil:
    """Size of a packed network in bytes."""
    return 2 * packed_numbers(hidden, kings) + 4 * OUTPUT_BUCKETS


cdef Weights* new_weights(const Kernel* kernel, const KingSet* kings) noexcept nogil:
    """Allocate a network with all weights 0; NULL if memory runs out."""
    cdef size_t head = (sizeof(Weights) + CACHE_LINE - 1) // CACHE_LINE * CACHE_LINE
    cdef int hidden = kernel.hidden
    cdef size_t numbers = packed_numbers(hidden, kings) + hidden
    cdef Weights* weights = <Weights*>allocate_pages(head + 2 * numbers)
    if weights != NULL:
        weights.kernel = kernel
        weights.kings = kings
        weights.hidden = hidden
        weights.features = <int16_t*>(<uint8_t*>weights + head)
        weights.bias = weights.features + kings.features * hidden
        weights.output = weights.bias + hidden
        weights.nothing = weights.output + 2 * OUTPUT_BUCKETS * hidden
    return weights


cdef void free_weights(Weights* weights) noexcept nogil:
    """Free the memory; NULL is allowed."""
    free_pages(weights)


cdef int weight_limit(const Weights* weights, int index) noexcept nogil:
    """Largest absolute value allowed for a 16-bit weight."""
    if index < weights.bias - weights.features:
        return MAX_WEIGHT
    return MAX_BIAS if index < weights.output - weights.features else MAX_OUTPUT


cdef int read_weights(Weights* weights, const uint8_t* data) noexcept nogil:
    """Read a payload; return -1, or the index of the first weight that is too large."""
    cdef int index, number, limit
    cdef int count = packed_numbers(weights.hidden, weights.kings)
    for index in range(count):
        number = <int16_t>(data[2 * index] | data[2 * index + 1] << 8)
        limit = weight_limit(weights, index)
        if not -limit <= number <= limit:
            return index
        weights.features[index] = number
    data += 2 * count
    for index in range(OUTPUT_BUCKETS):
        weights.output_bias[index] = <int32_t>(
            data[0] | data[1] << 8 | data[2] << 16 | <uint32_t>data[3] << 24
        )
        data += 4
    return -1
