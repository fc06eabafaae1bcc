"""Material of an endgame class, and the numbering of its positions.

A position's number combines the pair of the kings' squares, mirrored so that Red's king is never on
the right, and for each kind and side the combination of its pieces' squares among those that it can
reach. Positions with Red to move come first. Red is the stronger side; positions with the colours
exchanged are probed with the board turned.
"""

from libc.stdint cimport int8_t, int64_t

from xiangqi.core.moves.defs cimport FILES, PIECE_CODES, SQUARES, uint8_t, uint32_t, uint64_t
from xiangqi.core.moves.position cimport Position

cdef enum:
    MAX_GROUPS = 12          # six kinds other than kings, of two sides
    MAX_OF_A_KIND = 5
    KING_PAIRS = 45           # of 81, without mirror images
    MIDDLE = 4                # the e-file
    MAX_POSITIONS = 1 << 30  # of a class

ctypedef uint64_t Signature   # number of pieces of each code, four bits each

cdef struct Group:            # the pieces of one kind and side
    uint8_t piece
    uint8_t count
    uint8_t squares           # number of reachable squares
    uint8_t square[SQUARES]   # the reachable squares
    int8_t number[SQUARES]    # index of a square in `square`; -1 if it is out of reach
    uint32_t combinations
    uint32_t stride           # between the positions of successive combinations

cdef struct Material:
    int groups
    Group group[MAX_GROUPS]
    int8_t group_of[PIECE_CODES]
    Signature signature
    Signature turned          # with the colours exchanged
    uint32_t half             # positions with one side to move
    uint32_t size             # positions with either side to move, impossible ones included

cdef bint set_material(Material* material, const uint8_t* codes, int count) noexcept nogil
cdef Signature signature_of(const Position* pos) noexcept nogil
cdef bint find_index(
    const Material* material, const Position* pos, bint turned, uint32_t* index
) noexcept nogil
cdef bint find_number(
    const Material* material, const Position* pos, bint turned, bint mirror, uint32_t* index
) noexcept nogil
cdef int64_t number_step(
    const Material* material, const Position* pos, int origin, int target
) noexcept nogil
cdef bint is_in_the_middle(const Position* pos) noexcept nogil
cdef bint place_index(const Material* material, uint32_t index, Position* pos) noexcept nogil
cdef bint is_own_mirror(const Material* material, uint32_t index) noexcept nogil


cdef inline int file_of(int square) noexcept nogil:
    return square % FILES
