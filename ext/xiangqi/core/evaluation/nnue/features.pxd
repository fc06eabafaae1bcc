"""Inputs of a network: the features of each side, and an output bucket.

A side looks at the board from its own bank: for Black the ranks are turned over. Left and right
are alike in Xiangqi, so it looks into a mirror where that brings its king to file d; with the
king on file e where its *lean*, a sum over all pieces that changes its sign in the mirror, is
above 0. A feature is a piece, own or enemy, on a square of this view; there is a set of them for
each king bucket. A position and its mirror image so have the same features, and the sides
exchanged exchange them.

Networks differ in their king buckets: two for the files d and e, or six for the squares.
"""

from xiangqi.core.moves.attacks cimport FILE_OF
from xiangqi.core.moves.defs cimport PIECE_CODES, SQUARES, int16_t, int64_t, uint8_t
from xiangqi.core.moves.position cimport Position

cdef enum:
    BUCKET_FEATURES = 2 * 7 * SQUARES  # [enemy?][kind - 1][square]
    KING_SETS = 2
    MAX_VIEWS = 12            # [bucket][in a mirror?]
    OUTPUT_BUCKETS = 8         # by the number of pieces
    PIECES_PER_BUCKET = 4
    MAX_FEATURES = 32         # of a side: one for each piece on the board

cdef enum:  # The files that decide
    FILE_E = 4
    FILE_F = 5

cdef struct KingSet:           # how the king's square divides the features
    const char* name
    int buckets
    int features               # [bucket][enemy?][kind - 1][square]
    uint8_t bucket[2][SQUARES]  # [side that looks][its king]

cdef KingSet[KING_SETS] KINGS  # by files, by squares

cdef int16_t PIECE_PLACE[2][PIECE_CODES]    # [side that looks]
cdef int16_t SQUARE_PLACE[2][2][SQUARES]    # [side that looks][in a mirror?]
cdef int64_t LEAN[2][PIECE_CODES][SQUARES]  # [side that looks]

cdef int64_t lean_of(const Position* pos, int color) noexcept nogil
cdef int output_bucket(const Position* pos) noexcept nogil
cdef int list_features(
    const KingSet* kings, const uint8_t* board, int color, int16_t* found
) noexcept nogil


cdef inline int view_of(
    const KingSet* kings, int color, int king, int64_t lean
) noexcept nogil:
    """View of a side: its king bucket, mirrored or not by the lean."""
    cdef bint in_mirror = lean > 0 if FILE_OF[king] == FILE_E else FILE_OF[king] == FILE_F
    return 2 * kings.bucket[color][king] + in_mirror


cdef inline int feature_of(int color, int view, int piece, int square) noexcept nogil:
    """The number of a piece on a square, as a side sees it."""
    return (
        (view >> 1) * BUCKET_FEATURES + PIECE_PLACE[color][piece]
        + SQUARE_PLACE[color][view & 1][square]
    )
