"""The door for training: what a network sees of boards, and of samples by the thousand."""

from cpython.buffer cimport PyBUF_SIMPLE, PyBuffer_Release, PyObject_GetBuffer
from cpython.bytearray cimport PyByteArray_AsString
from libc.string cimport memset

from xiangqi.core.board cimport CoreBoard
from xiangqi.core.evaluation.nnue.features cimport (
    FEATURES, MOST_FEATURES, OUTPUT_BUCKETS, PIECES_PER_BUCKET, list_features, output_bucket,
)
from xiangqi.core.moves.defs cimport (
    BLACK, KING, NO_PIECE, RED, SQUARES, color_of, int16_t, kind_of, uint8_t,
)

cdef enum:  # A sample of xiangqi.selfplay.samples
    SAMPLE_BYTES = 38
    CODES_AT = 12         # behind the set of taken squares
    TURN_AT = 28

SAMPLE_SIZE = SAMPLE_BYTES
SHAPE = {"features": FEATURES, "output_buckets": OUTPUT_BUCKETS, "most_features": MOST_FEATURES}


def features(CoreBoard board not None):
    """A board's features: (those of the side to move, those of the other, output bucket)."""
    cdef int16_t[MOST_FEATURES] found
    cdef int count, i
    cdef int us = board.whole().turn
    lists = []
    for color in (us, us ^ 1):
        count = list_features(board.whole().board, color, found)
        lists.append([found[i] for i in range(count)])
    return lists[0], lists[1], output_bucket(board.whole())


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
    """The features of samples, given as packed bytes (``xiangqi.selfplay.samples``) or as an array.

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
        found = <int16_t*>PyByteArray_AsString(lists)
        bucket = <uint8_t*>PyByteArray_AsString(buckets)
        with nogil:
            done = fill_lists(<const uint8_t*>source.buf, count, found, bucket)
    finally:
        PyBuffer_Release(&source)
    if done < count:
        raise ValueError(f"sample {done} is no position")
    shape = (count, 2, int(MOST_FEATURES))
    return memoryview(lists).cast("h", shape), memoryview(buckets)
