"""Inputs of a network: the features of each side, and an output bucket.

A side sees the board from its own bank: for Black the ranks are reversed. Xiangqi is symmetric left
to right, so a view is mirrored if that brings the side's king from file f to file d or, with the
king on file e, if its *lean* is positive: a sum over all pieces whose sign changes in the mirror. A
feature is a piece, own or enemy, on a square of this view; each king bucket has its own set of
features. So a position and its mirror image have the same features, and exchanging the sides
exchanges their features.

A network has two king buckets, files d and e, or four: these files, by whether the side has a
chariot (after the attack buckets of Pikafish, which also distinguish horses and cannons,
https://github.com/official-pikafish/Pikafish).
"""

from xiangqi.core.moves.attacks cimport FILE_OF
from xiangqi.core.moves.bitboard cimport meet
from xiangqi.core.moves.defs cimport PIECE_CODES, ROOK, SQUARES, int16_t, int64_t, uint8_t
from xiangqi.core.moves.position cimport Position

cdef enum:
    BUCKET_FEATURES = 2 * 7 * SQUARES  # [enemy?][kind - 1][square]
    KING_SETS = 2
    MAX_VIEWS = 8             # [chariot?][king on file e?][mirrored?]
    OUTPUT_BUCKETS = 8        # by the number of pieces
    PIECES_PER_BUCKET = 4
    MAX_FEATURES = 32         # of a side: one for each piece on the board
    FILE_E = 4
    FILE_F = 5

cdef struct KingSet:           # king buckets
    const char* name
    int buckets
    int features               # [bucket][enemy?][kind - 1][square]
    bint by_chariots

cdef KingSet[KING_SETS] KINGS  # by files, and by files and chariots

cdef int16_t PIECE_PLACE[2][PIECE_CODES]    # [side]
cdef int16_t SQUARE_PLACE[2][2][SQUARES]    # [side][mirrored?]
cdef int64_t LEAN[2][PIECE_CODES][SQUARES]  # [side]

cdef int64_t lean_of(const Position* pos, int color) noexcept nogil
cdef int output_bucket(const Position* pos) noexcept nogil
cdef int list_features(
    const KingSet* kings, const uint8_t* board, int color, int16_t* found
) noexcept nogil


cdef inline int view_of(
    const KingSet* kings, int king, bint has_chariot, int64_t lean
) noexcept nogil:
    """A side's view: its king bucket, and whether it is mirrored."""
    cdef bint on_e = FILE_OF[king] == FILE_E
    cdef bint mirrored = lean > 0 if on_e else FILE_OF[king] == FILE_F
    return 4 * (kings.by_chariots and has_chariot) + 2 * on_e + mirrored


cdef inline int view_in(
    const KingSet* kings, const Position* pos, int color, int64_t lean
) noexcept nogil:
    """A side's view of a position with this lean."""
    cdef bint has_chariot = meet(pos.by_color[color], pos.by_kind[ROOK])
    return view_of(kings, pos.king[color], has_chariot, lean)


cdef inline int feature_of(int color, int view, int piece, int square) noexcept nogil:
    """Index of the feature of a piece on a square, in a side's view."""
    return (
        (view >> 1) * BUCKET_FEATURES + PIECE_PLACE[color][piece]
        + SQUARE_PLACE[color][view & 1][square]
    )
