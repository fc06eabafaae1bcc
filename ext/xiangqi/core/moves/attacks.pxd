"""Attacks of each piece: look-ups in tables that the slow generators of attacks.pyx fill.

*Lines.* The pieces on a rank (9 bits) or file (10 bits) index a table with, for each square of
the line, its slides and the second and third piece in either direction: rook moves, cannon
captures and the pieces that a cannon two screens away pins.
Indexing by the occupancy of a line is Robert Hyatt's idea for rotated bitboards
(https://www.chessprogramming.org/Rotated_Bitboards); here the bits of a file are gathered
by one multiplication, as in Kindergarten bitboards
(https://www.chessprogramming.org/Kindergarten_Bitboards).

*Legs and eyes.* The neighbours of a square are extracted from the board as one word; four of
them, packed by a multiplication, index the moves of a horse (orthogonal neighbours are its
legs) or an elephant (diagonal neighbours are its eyes). A horse is blocked next to its own
square, so the horses that attack a square depend on that square's diagonal neighbours and have
a table of their own.
"""

from xiangqi.core.moves.bitboard cimport Bitboard, bb, bit, common, has, union
from xiangqi.core.moves.defs cimport FILES, HALF, RANKS, SQUARES, uint16_t, uint64_t, uint8_t

cdef struct Line:
    uint16_t slide   # empty squares up to the first piece, and that piece
    uint16_t second  # the second piece
    uint16_t third   # the third piece

cdef Line RANK_LINE[FILES][512]    # [file of the square][pieces on the rank]
cdef Line FILE_LINE[RANKS][1024]   # [rank of the square][pieces on the file]
cdef uint8_t FILE_OF[SQUARES]
cdef uint8_t RANK_OF[SQUARES]
cdef uint8_t RANK_SHIFT[SQUARES]   # where the square's rank begins in its word

cdef Bitboard KNIGHT_TO[SQUARES][16]     # [square][blocked legs]
cdef Bitboard KNIGHT_FROM[SQUARES][16]   # [square][occupied diagonal neighbours]
cdef uint8_t KNIGHT_LEG[SQUARES][SQUARES]  # [from][to]: the leg of that jump
cdef Bitboard BISHOP_TO[SQUARES][16]     # [square][blocked eyes]
cdef Bitboard ADVISOR_TO[SQUARES]
cdef Bitboard KING_TO[SQUARES]
cdef Bitboard PAWN_TO[2][SQUARES]        # [color][square]
cdef Bitboard PAWN_FROM[2][SQUARES]      # [color][square]: squares from which a pawn attacks it
cdef Bitboard KING_ZONE[SQUARES]         # moves from and to other squares leave check unchanged
cdef Bitboard BETWEEN[SQUARES][SQUARES]  # strictly between two squares of one line
cdef Bitboard BANK[2]                    # [color]: that side's bank of the river
cdef Bitboard PALACE

cdef enum:
    # Bits 0, 9, 18, 27, 36: a file at the left edge of a word. Multiplied by GATHER, bit 9i
    # lands on 36 + i and no two products meet; SCATTER undoes it.
    FILE_A = 0x1008040201
    GATHER = 0x1010101010
    SCATTER = 0x0101010101
    GATHER_SHIFT = 36


cdef inline int rank_pieces(Bitboard occupied, int square) noexcept nogil:
    cdef uint64_t word = occupied.low if square < HALF else occupied.high
    return <int>(word >> RANK_SHIFT[square]) & 511


cdef inline int file_pieces(Bitboard occupied, int file) noexcept nogil:
    cdef uint64_t low = ((occupied.low >> file) & <uint64_t>FILE_A) * <uint64_t>GATHER
    cdef uint64_t high = ((occupied.high >> file) & <uint64_t>FILE_A) * <uint64_t>GATHER
    return <int>((low >> GATHER_SHIFT) & 31) | (<int>((high >> GATHER_SHIFT) & 31) << 5)


cdef inline Bitboard on_rank(int pieces, int square) noexcept nogil:
    cdef uint64_t word = <uint64_t>pieces << RANK_SHIFT[square]
    if square < HALF:
        return bb(word, 0)
    return bb(0, word)


cdef inline Bitboard on_file(int pieces, int file) noexcept nogil:
    cdef uint64_t low = ((pieces & 31) * <uint64_t>SCATTER) & <uint64_t>FILE_A
    cdef uint64_t high = ((pieces >> 5) * <uint64_t>SCATTER) & <uint64_t>FILE_A
    return bb(low << file, high << file)


cdef inline Line rank_line(int square, Bitboard occupied) noexcept nogil:
    return RANK_LINE[FILE_OF[square]][rank_pieces(occupied, square)]


cdef inline Line file_line(int square, Bitboard occupied) noexcept nogil:
    return FILE_LINE[RANK_OF[square]][file_pieces(occupied, FILE_OF[square])]


cdef inline Bitboard rook_attacks(int square, Bitboard occupied) noexcept nogil:
    return union(
        on_rank(rank_line(square, occupied).slide, square),
        on_file(file_line(square, occupied).slide, FILE_OF[square]),
    )


cdef inline Bitboard cannon_attacks(int square, Bitboard occupied) noexcept nogil:
    """The pieces that a cannon on ``square`` hits over exactly one screen."""
    return union(
        on_rank(rank_line(square, occupied).second, square),
        on_file(file_line(square, occupied).second, FILE_OF[square]),
    )


cdef inline Bitboard beyond_two(int square, Bitboard occupied) noexcept nogil:
    """Pieces behind exactly two others, seen from ``square``."""
    return union(
        on_rank(rank_line(square, occupied).third, square),
        on_file(file_line(square, occupied).third, FILE_OF[square]),
    )


cdef inline Bitboard file_slide(int square, Bitboard occupied) noexcept nogil:
    return on_file(file_line(square, occupied).slide, FILE_OF[square])


cdef inline uint64_t neighbours(Bitboard occupied, int square) noexcept nogil:
    """Squares ``square - 10`` to ``square + 10`` as bits 0 to 20.

    Bits over an edge of the board are some other square's; the tables ignore them.
    """
    if square >= HALF + 10:
        return occupied.high >> (square - HALF - 10)
    if square >= 10:
        return (occupied.low >> (square - 10)) | (occupied.high << (HALF + 10 - square))
    return occupied.low << (10 - square)


cdef enum:
    # South, west, east and north of the middle; the four bits of an index after packing.
    LEGS = 0x80A02
    PACK_LEGS = 0x41208
    LEGS_SHIFT = 19
    # South-west, south-east, north-west and north-east.
    EYES = 0x140005
    PACK_EYES = 0x440022
    EYES_SHIFT = 20


cdef inline int blocked_legs(Bitboard occupied, int square) noexcept nogil:
    return <int>(((neighbours(occupied, square) & LEGS) * <uint64_t>PACK_LEGS) >> LEGS_SHIFT) & 15


cdef inline int blocked_eyes(Bitboard occupied, int square) noexcept nogil:
    return <int>(((neighbours(occupied, square) & EYES) * <uint64_t>PACK_EYES) >> EYES_SHIFT) & 15


cdef inline Bitboard knight_attacks(int square, Bitboard occupied) noexcept nogil:
    return KNIGHT_TO[square][blocked_legs(occupied, square)]


cdef inline Bitboard knight_attackers(int square, Bitboard occupied) noexcept nogil:
    return KNIGHT_FROM[square][blocked_eyes(occupied, square)]


cdef inline Bitboard bishop_attacks(int square, Bitboard occupied) noexcept nogil:
    return BISHOP_TO[square][blocked_eyes(occupied, square)]


cdef Bitboard attacks_of(int piece, int square, Bitboard occupied) noexcept nogil
