"""Attacks, protections and pins of single pieces."""

from xiangqi.core.moves.bitboard cimport Bitboard
from xiangqi.core.moves.position cimport Position

cdef Bitboard find_attacked(const Position* pos, int origin) noexcept nogil
cdef void find_protectors(
    const Position* pos, int target, Bitboard* real, Bitboard* false
) noexcept nogil
cdef Bitboard find_pinned(const Position* pos, int color) noexcept nogil
cdef bint can_anyone_attack(const Position* pos) noexcept nogil
