"""Zobrist keys from a fixed seed, so that a position has the same key on every machine."""

from xiangqi.core.moves.defs cimport PIECE_CODES, SQUARES

cdef uint64_t SEED = 0x6D65696875617075  # "meihuapu"


cdef uint64_t next_random(uint64_t* state) noexcept nogil:
    """SplitMix64: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014."""
    cdef uint64_t mixed
    state[0] += <uint64_t>0x9E3779B97F4A7C15
    mixed = state[0]
    mixed = (mixed ^ (mixed >> 30)) * <uint64_t>0xBF58476D1CE4E5B9
    mixed = (mixed ^ (mixed >> 27)) * <uint64_t>0x94D049BB133111EB
    return mixed ^ (mixed >> 31)


cdef void fill_keys() noexcept nogil:
    global TURN_KEY
    cdef uint64_t state = SEED
    cdef int piece, square
    TURN_KEY = next_random(&state)
    for piece in range(1, PIECE_CODES):
        for square in range(SQUARES):
            PIECE_KEY[piece][square] = next_random(&state)


fill_keys()
