"""Value of a position in a table, in sixteen bits.

The low bits hold the distance to mate in plies, plus one; 0 is a draw. An odd distance is a win for
the side to move, an even one a loss. The high bits hold the level: 0 if the mate can be forced
against every defence, higher if the loser can delay it only by an offence that the repetition rules
forbid. Such offending plies are not counted.
"""

from xiangqi.core.moves.defs cimport uint16_t

ctypedef uint16_t Cell

cdef enum:
    DRAWN = 0
    NO_POSITION = 0xFFFF    # the index has no possible position
    LEVEL_SHIFT = 11
    DISTANCE_MASK = (1 << LEVEL_SHIFT) - 1
    MAX_DISTANCE = DISTANCE_MASK - 2
    MAX_LEVEL = 30


cdef inline Cell make_cell(int level, int distance) noexcept nogil:
    return <Cell>(level << LEVEL_SHIFT | (distance + 1))


cdef inline int level_of(Cell cell) noexcept nogil:
    return cell >> LEVEL_SHIFT


cdef inline int distance_of(Cell cell) noexcept nogil:
    """Distance in plies of a cell that is won or lost."""
    return (cell & DISTANCE_MASK) - 1


cdef inline bint is_decided(Cell cell) noexcept nogil:
    return cell != DRAWN and cell != NO_POSITION


cdef inline bint is_won(Cell cell) noexcept nogil:
    """Is the cell a win for the side to move?"""
    return is_decided(cell) and distance_of(cell) & 1


cdef inline bint is_lost(Cell cell) noexcept nogil:
    return is_decided(cell) and not distance_of(cell) & 1
