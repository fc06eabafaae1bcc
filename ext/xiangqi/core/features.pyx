"""Fills the tables of features, and lists those of boards and of samples for the training."""

from cpython.buffer cimport PyBUF_SIMPLE, PyBuffer_Release, PyObject_GetBuffer
from cpython.bytearray cimport PyByteArray_AS_STRING
from libc.string cimport memset

from xiangqi.core.attacks cimport RANK_OF
from xiangqi.core.bitboard cimport popcount
from xiangqi.core.board cimport CoreBoard
from xiangqi.core.defs cimport (
    BLACK, FILES, KING, KINDS, NO_PIECE, RANKS, RED, color_of, kind_of, make_piece, uint8_t,
    uint64_t,
)
from xiangqi.core.position cimport all_pieces
from xiangqi.core.zobrist cimport next_random

cdef enum:
    FOLDED_FILES = 4      # files a to d; e leans to no side and the others mirror these
    LEAN_SHIFT = 40       # bits for the sum of 32 fine parts of 32 bits

cdef enum:  # A sample of xiangqi.samples
    SAMPLE_BYTES = 38
    CODES_AT = 12         # behind the set of taken squares
    TURN_AT = 28

SAMPLE_SIZE = SAMPLE_BYTES
SHAPE = {"features": FEATURES, "output_buckets": OUTPUT_BUCKETS, "most_features": MOST_FEATURES}

# How much a piece weighs in the lean. What seldom changes sides weighs most, so that the view
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


cdef void fill_leans() noexcept nogil:
    """Each piece leans to its half of the board: by its weight, then, so that only positions
    that are their own mirror image are in balance, by a random number for its row and file."""
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
    """To which side the board leans as this side sees it; below 0 is left."""
    cdef int square
    cdef int64_t lean = 0
    for square in range(SQUARES):
        lean += LEAN[color][pos.board[square]][square]
    return lean


cdef int output_bucket(const Position* pos) noexcept nogil:
    """Which of the output layers is for so many pieces."""
    return (popcount(all_pieces(pos)) - 1) // PIECES_PER_BUCKET


cdef int list_features(const uint8_t* board, int color, int16_t* found) noexcept nogil:
    """A side's features in the order of the squares; how many. The side must have a king."""
    cdef int square, view
    cdef int king = 0
    cdef int count = 0
    cdef int64_t lean = 0
    for square in range(SQUARES):
        lean += LEAN[color][board[square]][square]
        if board[square] == make_piece(color, KING):
            king = square
    view = view_of(king, lean)
    for square in range(SQUARES):
        if board[square] != NO_PIECE:
            found[count] = feature_of(color, view, board[square], square)
            count += 1
    return count


def features(CoreBoard board not None):
    """A board's features: (those of the side to move, those of the other, output bucket)."""
    cdef int16_t[MOST_FEATURES] found
    cdef int count, i
    cdef int us = board.position.turn
    lists = []
    for color in (us, us ^ 1):
        count = list_features(board.position.board, color, found)
        lists.append([found[i] for i in range(count)])
    return lists[0], lists[1], output_bucket(&board.position)


# Samples


cdef int unpack(const uint8_t* sample, uint8_t* board) noexcept nogil:
    """Set up a sample's board; the number of pieces, or 0 if it cannot be a position."""
    cdef int[2] kings = [0, 0]
    cdef int count = 0
    cdef int square, code
    memset(board, NO_PIECE, SQUARES)
    for square in range(SQUARES):
        if sample[square >> 3] >> (square & 7) & 1:
            if count == MOST_FEATURES:
                return 0
            code = sample[CODES_AT + (count >> 1)] >> (4 * (count & 1)) & 15
            if kind_of(code) == 0:
                return 0
            kings[color_of(code)] += kind_of(code) == KING
            board[square] = code
            count += 1
    return count if kings[BLACK] == kings[RED] == 1 else 0


cdef Py_ssize_t fill_lists(
    const uint8_t* samples, Py_ssize_t count, int16_t* found, uint8_t* buckets
) noexcept nogil:
    """The features of so many samples; the number of those before the first impossible one."""
    cdef uint8_t[SQUARES] board
    cdef Py_ssize_t i
    cdef int pieces, us
    for i in range(count):
        pieces = unpack(samples, board)
        us = samples[TURN_AT]
        if pieces == 0 or us > RED:
            return i
        list_features(board, us, found)
        list_features(board, us ^ 1, found + MOST_FEATURES)
        buckets[i] = (pieces - 1) // PIECES_PER_BUCKET
        samples += SAMPLE_BYTES
        found += 2 * MOST_FEATURES
    return count


def fill_features(samples):
    """The features of samples, given as packed bytes (see ``xiangqi.samples``) or as an array.

    Two views of memory that NumPy takes as arrays: the features, 16-bit numbers of the shape
    [samples, 2, MOST_FEATURES], those of the side to move first, with -1 where there are no
    more; and each sample's output bucket, a byte. The GIL is released meanwhile. Raises
    ValueError for bytes that are no samples, with the number of the first such.
    """
    cdef Py_buffer source
    cdef Py_ssize_t count, done
    cdef bytearray lists, buckets
    cdef int16_t* found
    cdef uint8_t* bucket
    PyObject_GetBuffer(samples, &source, PyBUF_SIMPLE)
    try:
        count = source.len // SAMPLE_BYTES
        if count == 0 or source.len % SAMPLE_BYTES:
            raise ValueError(
                f"{source.len} bytes: expected one or more samples of {SAMPLE_BYTES}"
            )
        # All bits set are -1.
        lists = bytearray(b"\xff") * (count * 2 * MOST_FEATURES * sizeof(int16_t))
        buckets = bytearray(count)
        found = <int16_t*>PyByteArray_AS_STRING(lists)
        bucket = <uint8_t*>PyByteArray_AS_STRING(buckets)
        with nogil:
            done = fill_lists(<const uint8_t*>source.buf, count, found, bucket)
    finally:
        PyBuffer_Release(&source)
    if done < count:
        raise ValueError(f"sample {done} is no position")
    shape = (count, 2, int(MOST_FEATURES))
    return memoryview(lists).cast("h", shape), memoryview(buckets)


fill_places()
fill_leans()
