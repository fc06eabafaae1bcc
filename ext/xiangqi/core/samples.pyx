"""Training data for Python: boards as planes, policy masks and network features; samples."""

from cpython.buffer cimport PyBUF_SIMPLE, PyBuffer_Release, PyObject_GetBuffer
from cpython.bytearray cimport PyByteArray_AsString
from libc.string cimport memset

from xiangqi.core.board cimport CoreBoard
from xiangqi.core.evaluation.nnue.features cimport (
    MAX_FEATURES, OUTPUT_BUCKETS, PIECES_PER_BUCKET, KingSet, list_features, output_bucket,
)
from xiangqi.core.move cimport Move, shared_move
from xiangqi.core.moves.defs cimport (
    BLACK, FILES, KING, KINDS, NO_PIECE, RANKS, RED, SQUARES, color_of, from_square, int16_t,
    kind_of, encode_move, to_square, uint8_t,
)
from xiangqi.core.moves.movegen cimport MoveList, generate_legal
from xiangqi.core.moves.position cimport Position
from xiangqi.core.network cimport king_set

cdef enum:
    PLANES = 2 * (KINDS - 1) + 1
    POLICY_SIZE = 2086    # moves that some piece can make on some board

cdef enum:  # A sample of train.sample_files
    SAMPLE_BYTES = 38
    CODES_AT = 12         # after the set of occupied squares
    TURN_AT = 28

SAMPLE_SIZE = SAMPLE_BYTES
SHAPE = {"output_buckets": OUTPUT_BUCKETS, "max_features": MAX_FEATURES}


def features(CoreBoard board not None, str kings):
    """A board's features: (those of the side to move, those of the other side, output bucket).

    ``kings`` names the king buckets, a key of ``network.KING_BUCKETS``; raises ValueError for
    another name.
    """
    cdef const KingSet* chosen = king_set(kings)
    cdef int16_t[MAX_FEATURES] found
    cdef int count, i
    cdef int us = board.pos().turn
    lists = []
    for color in (us, us ^ 1):
        count = list_features(chosen, board.pos().board, color, found)
        lists.append([found[i] for i in range(count)])
    return lists[0], lists[1], output_bucket(board.pos())


# Boards as arrays

cdef int16_t[SQUARES][SQUARES] POLICY  # index of each policy move, or -1


cdef bint is_policy_move(int origin, int target) noexcept:
    """Can some piece make this move on some board?"""
    cdef int files = abs(origin % FILES - target % FILES)
    cdef int ranks = abs(origin // FILES - target // FILES)
    cdef int low = min(origin, target) // FILES
    cdef int middle = (origin % FILES + target % FILES) // 2
    if (files == 0) != (ranks == 0) or files * ranks == 2:
        return True
    # Advisors and elephants reach only the squares listed; ranks count from the nearer edge.
    if low >= RANKS // 2:
        low = RANKS - 1 - max(origin, target) // FILES
    if files == ranks == 1:  # advisors, between a corner of the palace and its centre
        return low <= 1 and middle in (3, 4) and (
            origin % FILES == 4 and origin // FILES in (1, 8)
            or target % FILES == 4 and target // FILES in (1, 8)
        )
    if files == ranks == 2:  # elephants, between a2 c0 c4 e2 g0 g4 i2
        return low in (0, 2) and origin // FILES // 5 == target // FILES // 5 and (
            origin % FILES % 4 == (0 if origin // FILES in (2, 7) else 2)
        )
    return False


cdef list list_policy_moves():
    cdef int origin, target
    cdef list moves = []
    for origin in range(SQUARES):
        for target in range(SQUARES):
            POLICY[origin][target] = -1
            if is_policy_move(origin, target):
                POLICY[origin][target] = len(moves)
                moves.append(shared_move(encode_move(origin, target)))
    assert len(moves) == POLICY_SIZE
    return moves


POLICY_MOVES = tuple(list_policy_moves())


cdef CoreBoard board_of(object board):
    if not isinstance(board, CoreBoard):
        raise TypeError(f"expected boards, found {type(board).__name__}")
    return <CoreBoard>board


cdef inline int turned(int square, bint is_turned) noexcept nogil:
    return square + FILES * (RANKS - 1 - 2 * (square // FILES)) if is_turned else square


def policy_index(Move move not None):
    """Index of a move in POLICY_MOVES; raises ValueError if no piece can make the move."""
    cdef int number = POLICY[from_square(move.code)][to_square(move.code)]
    if number < 0:
        raise ValueError(f"no piece ever moves {move.iccs()}")
    return number


def fill_planes(list boards not None, bint relative):
    """Boards as planes of ones and zeros: memory of the shape [boards, PLANES, ranks, files].

    The planes are the king, advisors, bishops, knights, rooks, cannons and pawns of Red, those of
    Black, and a plane of ones if Red is to move. With ``relative`` the planes of the side to move
    come first, and the board is flipped if that is Black, so that its own bank has the first ranks.
    """
    cdef bytearray memory = bytearray(len(boards) * PLANES * SQUARES)
    cdef uint8_t* planes = <uint8_t*>PyByteArray_AsString(memory)
    cdef const Position* pos
    cdef int square, piece, is_second
    cdef bint is_turned
    for board in boards:
        pos = board_of(board).pos()
        is_turned = relative and pos.turn == BLACK
        for square in range(SQUARES):
            piece = pos.board[square]
            if piece != NO_PIECE:
                is_second = (color_of(piece) == BLACK) != is_turned
                planes[
                    (is_second * (KINDS - 1) + kind_of(piece) - 1) * SQUARES
                    + turned(square, is_turned)
                ] = 1
        memset(planes + (PLANES - 1) * SQUARES, pos.turn == RED, SQUARES)
        planes += PLANES * SQUARES
    return memoryview(memory).cast("B", (len(boards), int(PLANES), int(RANKS), int(FILES)))


def fill_masks(list boards not None, bint relative):
    """The legal moves of boards: memory of the shape [boards, POLICY_SIZE], 1 for a legal move.

    With ``relative`` the moves are flipped if Black is to move.
    """
    cdef bytearray memory = bytearray(len(boards) * POLICY_SIZE)
    cdef uint8_t* mask = <uint8_t*>PyByteArray_AsString(memory)
    cdef const Position* pos
    cdef MoveList moves
    cdef bint is_turned
    cdef int i
    for board in boards:
        pos = board_of(board).pos()
        is_turned = relative and pos.turn == BLACK
        generate_legal(pos, &moves)
        for i in range(moves.count):
            mask[POLICY[turned(from_square(moves.moves[i]), is_turned)][
                turned(to_square(moves.moves[i]), is_turned)
            ]] = 1
        mask += POLICY_SIZE
    return memoryview(memory).cast("B", (len(boards), int(POLICY_SIZE)))


def list_board_features(list boards not None, str kings):
    """The features of boards in the form of :func:`fill_features`."""
    cdef const KingSet* chosen = king_set(kings)
    cdef bytearray lists = bytearray(b"\xff") * (
        len(boards) * 2 * MAX_FEATURES * sizeof(int16_t)
    )
    cdef bytearray buckets = bytearray(len(boards))
    cdef int16_t* found = <int16_t*>PyByteArray_AsString(lists)
    cdef const Position* pos
    cdef Py_ssize_t i
    for i, board in enumerate(boards):
        pos = board_of(board).pos()
        list_features(chosen, pos.board, pos.turn, found)
        list_features(chosen, pos.board, pos.turn ^ 1, found + MAX_FEATURES)
        buckets[i] = output_bucket(pos)
        found += 2 * MAX_FEATURES
    shape = (len(boards), 2, int(MAX_FEATURES))
    return memoryview(lists).cast("h", shape), memoryview(buckets)


# Samples


cdef int unpack(const uint8_t* sample, uint8_t* board) noexcept nogil:
    """Unpack a sample's board; return the number of pieces, or 0 if it cannot be a position."""
    cdef int[2] kings = [0, 0]
    cdef int count = 0
    cdef int square, code
    memset(board, NO_PIECE, SQUARES)
    for square in range(SQUARES):
        if sample[square >> 3] >> (square & 7) & 1:
            if count == MAX_FEATURES:
                return 0
            code = sample[CODES_AT + (count >> 1)] >> (4 * (count & 1)) & 15
            if kind_of(code) == 0:
                return 0
            kings[color_of(code)] += kind_of(code) == KING
            board[square] = code
            count += 1
    return count if kings[BLACK] == kings[RED] == 1 else 0


cdef Py_ssize_t fill_lists(
    const KingSet* kings, const uint8_t* samples, Py_ssize_t count, int16_t* found,
    uint8_t* buckets
) noexcept nogil:
    """Fill in the features of samples; return the index of the first impossible one, or
    ``count``."""
    cdef uint8_t[SQUARES] board
    cdef Py_ssize_t i
    cdef int pieces, us
    for i in range(count):
        pieces = unpack(samples, board)
        us = samples[TURN_AT]
        if pieces == 0 or us > RED:
            return i
        list_features(kings, board, us, found)
        list_features(kings, board, us ^ 1, found + MAX_FEATURES)
        buckets[i] = (pieces - 1) // PIECES_PER_BUCKET
        samples += SAMPLE_BYTES
        found += 2 * MAX_FEATURES
    return count


def fill_features(samples, str kings):
    """The features of samples, given as packed bytes (``train.sample_files``) or as an array.

    Returns two memory views, which NumPy takes as arrays: the features as 16-bit numbers of the
    shape [samples, 2, MAX_FEATURES], those of the side to move first, padded with -1; and each
    sample's output bucket as a byte. ``kings`` names the king buckets, a key of
    ``network.KING_BUCKETS``. The GIL is released. Raises ValueError for bytes that are no samples,
    with the index of the first bad one.
    """
    cdef const KingSet* chosen = king_set(kings)
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
        # Bytes of 0xff make numbers of -1.
        lists = bytearray(b"\xff") * (count * 2 * MAX_FEATURES * sizeof(int16_t))
        buckets = bytearray(count)
        found = <int16_t*>PyByteArray_AsString(lists)
        bucket = <uint8_t*>PyByteArray_AsString(buckets)
        with nogil:
            done = fill_lists(chosen, <const uint8_t*>source.buf, count, found, bucket)
    finally:
        PyBuffer_Release(&source)
    if done < count:
        raise ValueError(f"sample {done} is no position")
    shape = (count, 2, int(MAX_FEATURES))
    return memoryview(lists).cast("h", shape), memoryview(buckets)
