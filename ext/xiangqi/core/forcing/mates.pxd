"""Mate by checks alone: the attacker may only check, the defender has every legal reply."""

from xiangqi.core.moves.defs cimport Key, Move, int64_t, uint8_t, uint64_t
from xiangqi.core.moves.position cimport Position

cdef enum:
    MAX_CHECKS = 40
    MAX_BANNED = 16
    MATE_LINE = 2 * MAX_CHECKS

cdef struct MateEntry:  # results for a position with the attacker to move
    Key key
    uint8_t proved      # number of checks to a known mate; 0: none
    uint8_t refuted     # number of checks without a mate

cdef struct MateSearch:
    Position pos        # the attacker is to move
    int64_t nodes       # moves made so far
    int64_t limit       # of nodes
    bint stopped        # the limit was reached
    uint64_t mask
    MateEntry* table    # mask + 1 entries, all zero at the start
    int banned_count    # moves that the attacker may not make
    Move[MAX_BANNED] banned
    int length          # of the line found; 0 if none
    Move[MATE_LINE] line

cdef bint find_mate(MateSearch* search, int max_checks) except -1 nogil
