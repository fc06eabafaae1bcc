"""The tables of features, and the features of a board."""

from xiangqi.core.moves.attacks cimport RANK_OF
from xiangqi.core.moves.bitboard cimport popcount
from xiangqi.core.moves.defs cimport (
    FILES, KINDS, KING, NO_PIECE, RANKS, RED, ROOK, color_of, kind_of, make_piece, uint64_t,
)
from xiangqi.core.moves.position cimport all_pieces
from xiangqi.core.moves.zobrist cimport next_random

cdef enum:
    FOLDED_FILES = 4      # files a to d; file e has no lean, files f to i mirror d to a
    LEAN_SHIFT = 40       # the bits below hold a sum of 32 random numbers of 32 bits

# Weight of a kind in the lean. Kinds that seldom cross the middle file weigh most, so that the view
# seldom changes: 5 of 100 moves of tournament games change it.
cdef int64_t[KINDS] WEIGHT = [0, 64, 1, 1, 2, 4, 2, 16]

cdef uint64_t SEED = 0x6D65696875616C65  # "meihuale"


# Tables


cdef void fill_places() noexcept nogil:
    cdef int color, piece, square, rank
    for color in range(2):
        for piece in range(PIECE_CODES):
            PIECE_PLACE[color][piece] = (
                (color_of(piece) != color) * 7 + kind_of(piece) - 1
            ) * SQUARES
        for square in range(SQUARES):
            rank = RANK_OF[square] if color == RED else RANKS - 1 - RANK_OF[square]
            SQUARE_PLACE[color][False][square] = rank * FILES + FILE_OF[square]
            SQUARE_PLACE[color][True][square] = rank * FILES + FILES - 1 - FILE_OF[square]


cdef void fill_kings() noexcept nogil:
    KINGS[0].name = "files"
    KINGS[0].buckets = 2
    KINGS[0].by_chariots = False
    KINGS[1].name = "chariots"
    KINGS[1].buckets = 4
    KINGS[1].by_chariots = True
    KINGS[0].features = KINGS[0].buckets * BUCKET_FEATURES
    KINGS[1].features = KINGS[1].buckets * BUCKET_FEATURES


cdef void fill_leans() noexcept nogil:
    """Fill in each piece's lean: its weight, then as a tie-break a random number for its rank and
    file, so that only a position that is its own mirror image has a lean of 0."""
    cdef uint64_t state = SEED
    cdef int64_t value
    cdef int enemy, kind, rank, file, color, piece, square
    for enemy in range(2):
        for kind in range(KING, KINDS):
            for rank in range(RANKS):
                for file in range(FOLDED_FILES):
                    value = (WEIGHT[kind] << LEAN_SHIFT) + <int64_t>(next_random(&state) >> 32)
                    for color in range(2):
                        piece = make_piece(color ^ enemy, kind)
                        square = (rank if color == RED else RANKS - 1 - rank) * FILES
                        LEAN[color][piece][square + file] = -value
                        LEAN[color][piece][square + FILES - 1 - file] = value


# Positions


cdef int64_t lean_of(const Position* pos, int color) noexcept nogil:
    """Lean of the board as this side sees it; negative means left."""
    cdef int square
    cdef int64_t lean = 0
    for square in range(SQUARES):
        lean += LEAN[color][pos.board[square]][square]
    return lean


cdef int output_bucket(const Position* pos) noexcept nogil:
    """Index of the output layer for this number of pieces."""
    return (popcount(all_pieces(pos)) - 1) // PIECES_PER_BUCKET


cdef int list_features(
    const KingSet* kings, const uint8_t* board, int color, int16_t* found
) noexcept nogil:
    """List a side's features in square order; return their number. The side must have a king."""
    cdef int square, piece, view
    cdef int king = 0
    cdef int count = 0
    cdef bint has_chariot = False
    cdef int64_t lean = 0
    for square in range(SQUARES):
        piece = board[square]
        lean += LEAN[color][piece][square]
        if piece == make_piece(color, KING):
            king = square
        has_chariot |= piece == make_piece(color, ROOK)
    view = view_of(kings, king, has_chariot, lean)
    for square in range(SQUARES):
        if board[square] != NO_PIECE:
            found[count] = feature_of(color, view, board[square], square)
            count += 1
    return count


fill_places()
fill_kings()
fill_leans()
