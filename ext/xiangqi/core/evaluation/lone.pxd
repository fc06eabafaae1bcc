"""Endings with at most one attacker: the material decides who can win.

A chariot, horse, cannon or soldier against a king and its guards is won from nearly all quiet
positions or from next to none (``train.lone_attackers`` counts them in solved tables), and a
network does not distinguish them.
"""

from xiangqi.core.moves.bitboard cimport Bitboard, union
from xiangqi.core.moves.defs cimport CANNON, KNIGHT, PAWN, ROOK
from xiangqi.core.moves.position cimport Position

cdef bint attacker_wins(const Position* pos) noexcept nogil
cdef int lone_value(const Position* pos, int value) noexcept nogil


cdef inline Bitboard all_attackers(const Position* pos) noexcept nogil:
    """Pieces that may cross the river."""
    return union(
        union(pos.by_kind[ROOK], pos.by_kind[KNIGHT]),
        union(pos.by_kind[CANNON], pos.by_kind[PAWN]),
    )


cdef inline bint is_lone(const Position* pos) noexcept nogil:
    """Is there at most one attacker on the board?"""
    cdef Bitboard found = all_attackers(pos)
    if found.low & (found.low - 1) or found.high & (found.high - 1):
        return False
    return not found.low or not found.high
