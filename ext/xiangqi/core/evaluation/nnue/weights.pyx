"""Reading a network's numbers."""

from xiangqi.core.moves.defs cimport uint32_t

cdef enum:  # What keeps every sum within its integer, whatever the position
    MOST_WEIGHT = 511     # of a feature: 32 of them and a bias stay within 16 bits
    MOST_BIAS = 16383
    MOST_OUTPUT = 127     # times an activation within 16 bits, and 256 squared within 32


cdef int most_of(int index) noexcept nogil:
    """How large a 16-bit number of a network may be."""
    if index < BIAS_AT:
        return MOST_WEIGHT
    return MOST_BIAS if index < OUTPUT_AT else MOST_OUTPUT


cdef int read_weights(Weights* weights, const uint8_t* data) noexcept nogil:
    """Read the numbers, the low byte first; -1, or the index of the first that is too large."""
    cdef int16_t* numbers = &weights.features[0][0]
    cdef int index, number
    for index in range(OUTPUT_BIAS_AT):
        number = <int16_t>(data[2 * index] | data[2 * index + 1] << 8)
        if not -most_of(index) <= number <= most_of(index):
            return index
        numbers[index] = number
    data += 2 * OUTPUT_BIAS_AT
    for index in range(OUTPUT_BUCKETS):
        weights.output_bias[index] = <int32_t>(
            data[0] | data[1] << 8 | data[2] << 16 | <uint32_t>data[3] << 24
        )
        data += 4
    return -1
