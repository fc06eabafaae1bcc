"""A set of squares: two words of 45 bits, one for each bank of the river.

``low`` holds ranks 0-4 (Red's bank), ``high`` ranks 5-9. A rank never straddles the words,
a file is five bits, nine apart, in each. No 128-bit integer is needed, so it builds with
every C compiler.
"""

from xiangqi.core.moves.defs cimport HALF, uint64_t
from xiangqi.core.system.bits cimport count_bits, lowest_bit

cdef struct Bitboard:
    uint64_t low
    uint64_t high


cdef inline Bitboard bb(uint64_t low, uint64_t high) noexcept nogil:
    cdef Bitboard r
    r.low = low
    r.high = high
    return r


cdef inline Bitboard bb_empty() noexcept nogil:
    return bb(0, 0)


cdef inline Bitboard bit(int square) noexcept nogil:
    return bb(
        <uint64_t>(square < HALF) << (square & 63),
        <uint64_t>(square >= HALF) << ((square - HALF) & 63),
    )


cdef inline bint has(Bitboard a, int square) noexcept nogil:
    if square < HALF:
        return (a.low >> square) & 1
    return (a.high >> (square - HALF)) & 1


cdef inline bint any_of(Bitboard a) noexcept nogil:
    return (a.low | a.high) != 0


cdef inline Bitboard union(Bitboard a, Bitboard b) noexcept nogil:
    return bb(a.low | b.low, a.high | b.high)


cdef inline Bitboard common(Bitboard a, Bitboard b) noexcept nogil:
    return bb(a.low & b.low, a.high & b.high)


cdef inline Bitboard without(Bitboard a, Bitboard b) noexcept nogil:
    """The squares of ``a`` that are not in ``b``."""
    return bb(a.low & ~b.low, a.high & ~b.high)


cdef inline Bitboard differ(Bitboard a, Bitboard b) noexcept nogil:
    """The squares in exactly one of the two sets."""
    return bb(a.low ^ b.low, a.high ^ b.high)


cdef inline bint meet(Bitboard a, Bitboard b) noexcept nogil:
    return ((a.low & b.low) | (a.high & b.high)) != 0


cdef inline bint same(Bitboard a, Bitboard b) noexcept nogil:
    return ((a.low ^ b.low) | (a.high ^ b.high)) == 0


cdef inline int popcount(Bitboard a) noexcept nogil:
    return count_bits(a.low, a.high)


cdef inline int lsb(Bitboard a) noexcept nogil:
    """The lowest square of a set that is not empty."""
    if a.low:
        return lowest_bit(a.low)
    return HALF + lowest_bit(a.high)


cdef inline int pop_lsb(Bitboard* a) noexcept nogil:
    """Take the lowest square out of a set that is not empty."""
    cdef int square
    if a.low:
        square = lowest_bit(a.low)
        a.low &= a.low - 1
    else:
        square = HALF + lowest_bit(a.high)
        a.high &= a.high - 1
    return square
