"""Basic types and constants of the core, and the packing of pieces and moves.

Squares count from Red's left corner: ``square = rank * 9 + file``, a0 = 0, i9 = 89.
A piece code is ``kind | color << 3``: 1-7 black, 9-15 red, 0 an empty point.
A move is ``from | to << 7``; the number 0 (a0 to a0) is no move.
"""

from libc.stdint cimport int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

ctypedef uint64_t Key
ctypedef uint16_t Move

cdef enum:  # Color; equal to Python's False and True, so that it needs no conversion
    BLACK = 0
    RED = 1

cdef enum:  # PieceType
    NO_KIND = 0
    KING = 1
    ADVISOR = 2
    BISHOP = 3
    KNIGHT = 4
    ROOK = 5
    CANNON = 6
    PAWN = 7
    KINDS = 8

cdef enum:
    FILES = 9
    RANKS = 10
    HALF = 45  # squares on one bank of the river
    SQUARES = 90
    NO_PIECE = 0
    PIECE_CODES = 16
    NO_MOVE = 0
    MAX_PIECES = 16  # of one side
    MAX_MOVES = 128  # no position with legal material has more (see movegen.pyx)


cdef inline int kind_of(int piece) noexcept nogil:
    return piece & 7


cdef inline int color_of(int piece) noexcept nogil:
    return piece >> 3


cdef inline int make_piece(int color, int kind) noexcept nogil:
    return kind | (color << 3)


cdef inline Move encode_move(int origin, int target) noexcept nogil:
    return <Move>(origin | (target << 7))


cdef inline int from_square(Move move) noexcept nogil:
    return move & 127


cdef inline int to_square(Move move) noexcept nogil:
    return move >> 7
