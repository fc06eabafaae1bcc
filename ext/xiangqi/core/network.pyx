"""Accumulators kept from move to move, the network's value, and the weights' Python door.

*Lazily.* A move only notes what it changes. When a position is evaluated, a side's accumulator is
worked out from the last one in the line that is known, as long as the side has looked at the board
in the same way since; for most nodes that is one step.

*Refreshing.* Where its view has changed, a side starts from the last accumulator that it had in
this view, anywhere in the search, and changes what differs between the positions; known as Finny
tables (https://www.chessprogramming.org/NNUE#Accumulator_Refresh_Table).
"""

from cpython.buffer cimport PyBUF_SIMPLE, PyBuffer_Release, PyObject_GetBuffer
from libc.string cimport memcpy

from xiangqi.core.bitboard cimport Bitboard, any_of, differ, ensure, pop_lsb, union
from xiangqi.core.defs cimport KINDS, NO_PIECE, RED, SQUARES, from_square, to_square, uint32_t
from xiangqi.core.features cimport LEAN, feature_of, lean_of, output_bucket, view_of
from xiangqi.core.scores cimport MAX_VALUE

cdef extern from "network_kernels.h" nogil:
    const int NETWORK_HIDDEN
    const int NETWORK_CEILING
    ctypedef struct Kernel:
        const char* name
        void (*change)(
            int16_t* out, const int16_t* before, const int16_t* added, const int16_t* removed,
            const int16_t* captured
        ) noexcept nogil
        int32_t (*weigh)(const int16_t* values, const int16_t* weights) noexcept nogil
    const Kernel[1] KERNELS
    const int KERNEL_COUNT
    int has_kernel(int number) noexcept

cdef extern from "pages.h" nogil:
    void* allocate_pages(size_t size) noexcept
    void free_pages(void* pages) noexcept

cdef enum:  # What keeps every sum within its integer, whatever the position
    MOST_WEIGHT = 511     # of a feature: 32 of them and a bias stay within 16 bits
    MOST_BIAS = 16383
    MOST_OUTPUT = 127     # times an activation within 16 bits, and 256 squared within 32

cdef enum:  # The numbers of a network in their order
    BIAS_AT = FEATURES * HIDDEN
    OUTPUT_AT = BIAS_AT + HIDDEN
    OUTPUT_BIAS_AT = OUTPUT_AT + OUTPUT_BUCKETS * 2 * HIDDEN
    PAYLOAD_BYTES = 2 * OUTPUT_BIAS_AT + 4 * OUTPUT_BUCKETS

ARCHITECTURE = {
    "inputs": FEATURES, "hidden": HIDDEN, "activation": "screlu",
    "output_buckets": OUTPUT_BUCKETS, "qa": ACTIVE, "qb": ONE, "scale": SCALE,
}
PAYLOAD_SIZE = PAYLOAD_BYTES

cdef const Kernel* KERNEL = &KERNELS[0]


# Kernels


def kernels():
    """The names of the kernels that this processor has, the best one last."""
    return [KERNELS[i].name.decode() for i in range(KERNEL_COUNT) if has_kernel(i)]


def use_kernel(str name not None):
    """Reckon with this kernel from now on; all give the same values. For tests and timings."""
    global KERNEL
    names = [KERNELS[i].name.decode() for i in range(KERNEL_COUNT)]
    if name not in kernels():
        raise ValueError(f"no kernel {name!r}: expected one of {', '.join(kernels())}")
    KERNEL = &KERNELS[names.index(name)]


# One searcher's state


cdef inline void copy(int16_t* to, const int16_t* values) noexcept nogil:
    """Copy one side's sums."""
    memcpy(to, values, HIDDEN * sizeof(int16_t))


cdef NetworkState* new_network_state(const Weights* weights) noexcept nogil:
    """A state for these weights; NULL if there is no memory for it."""
    cdef NetworkState* state = <NetworkState*>allocate_pages(sizeof(NetworkState))
    cdef int color, view
    ensure(HIDDEN == NETWORK_HIDDEN and ACTIVE == NETWORK_CEILING)
    if state != NULL:
        state.weights = weights
        for color in range(2):
            for view in range(VIEWS):  # of empty boards
                copy(state.refreshes[color][view].values, weights.bias)
    return state


cdef void free_network_state(NetworkState* state) noexcept nogil:
    """Give the memory back; NULL is none."""
    free_pages(state)


cdef void network_reset(NetworkState* state, const Position* pos) noexcept nogil:
    """Begin with a new position."""
    cdef Step* step = &state.steps[0]
    cdef int color
    state.ply = 0
    for color in range(2):
        step.lean[color] = lean_of(pos, color)
        step.view[color] = view_of(pos.king[color], step.lean[color])
        step.is_ready[color] = False


cdef void network_make(NetworkState* state, const Position* pos, const Undo* undo) noexcept nogil:
    """Follow a move that has been made."""
    cdef const Step* before = &state.steps[state.ply]
    cdef Step* step = &state.steps[state.ply + 1]
    cdef int origin = from_square(undo.move)
    cdef int target = to_square(undo.move)
    cdef int piece = pos.board[target]
    cdef int color
    state.ply += 1
    ensure(state.ply < MOST_PLIES)
    step.piece = piece
    step.captured = undo.captured
    step.origin = origin
    step.target = target
    for color in range(2):
        step.lean[color] = (
            before.lean[color] + LEAN[color][piece][target] - LEAN[color][piece][origin]
            - LEAN[color][undo.captured][target]
        )
        step.view[color] = view_of(pos.king[color], step.lean[color])
        step.is_ready[color] = False


cdef void network_unmake(NetworkState* state) noexcept nogil:
    """Follow a move that has been taken back."""
    state.ply -= 1


# Accumulators


cdef inline const int16_t* row_of(
    const Weights* weights, int color, int view, int piece, int square
) noexcept nogil:
    """The weights that a piece on a square switches on for a side; no piece, none."""
    if piece == NO_PIECE:
        return weights.nothing
    return weights.features[feature_of(color, view, piece, square)]


cdef void follow(NetworkState* state, int color, int ply) noexcept nogil:
    """Work an accumulator out from the one before it in the line, in the same view."""
    cdef Step* step = &state.steps[ply]
    cdef const Weights* weights = state.weights
    cdef int view = step.view[color]
    KERNEL.change(
        state.values[ply][color], state.values[ply - 1][color],
        row_of(weights, color, view, step.piece, step.target),
        row_of(weights, color, view, step.piece, step.origin),
        row_of(weights, color, view, step.captured, step.target),
    )
    step.is_ready[color] = True


cdef Bitboard differing(const Position* one, const Position* other) noexcept nogil:
    """The squares on which two positions differ."""
    cdef Bitboard found = differ(one.by_color[RED], other.by_color[RED])
    cdef int kind
    for kind in range(1, KINDS):
        found = union(found, differ(one.by_kind[kind], other.by_kind[kind]))
    return found


cdef void refresh(NetworkState* state, const Position* pos, int color) noexcept nogil:
    """Work the accumulator of the present position out from the last one in this view."""
    cdef Step* step = &state.steps[state.ply]
    cdef int view = step.view[color]
    cdef Refresh* last = &state.refreshes[color][view]
    cdef Bitboard left = differing(&last.pos, pos)
    cdef int square
    while any_of(left):
        square = pop_lsb(&left)
        KERNEL.change(
            last.values, last.values,
            row_of(state.weights, color, view, pos.board[square], square),
            row_of(state.weights, color, view, last.pos.board[square], square),
            state.weights.nothing,
        )
    last.pos = pos[0]
    copy(state.values[state.ply][color], last.values)
    step.is_ready[color] = True


cdef const int16_t* accumulator(
    NetworkState* state, const Position* pos, int color
) noexcept nogil:
    """A side's accumulator for the present position, worked out if need be."""
    cdef int ply = state.ply
    cdef int view = state.steps[ply].view[color]
    while not state.steps[ply].is_ready[color]:
        if ply == 0 or state.steps[ply - 1].view[color] != view:
            refresh(state, pos, color)
            return state.values[state.ply][color]
        ply -= 1
    while ply < state.ply:
        ply += 1
        follow(state, color, ply)
    return state.values[ply][color]


# The value


cdef int weigh(
    const Weights* weights, const Position* pos, const int16_t* own, const int16_t* other
) noexcept nogil:
    """The output layer: both accumulators, the side to move's first, become centipawns."""
    cdef int bucket = output_bucket(pos)
    cdef int64_t sum = (
        KERNEL.weigh(own, weights.output[bucket][0])
        + KERNEL.weigh(other, weights.output[bucket][1])
    )
    sum = (sum // ACTIVE + weights.output_bias[bucket]) * SCALE // (ACTIVE * ONE)
    return <int>max(-<int64_t>MAX_VALUE, min(<int64_t>MAX_VALUE, sum))


cdef int value_from_scratch(const Weights* weights, const Position* pos) noexcept nogil:
    """The network's value of the position, from the side to move, without a state."""
    cdef int16_t[2][HIDDEN] values
    cdef int color, view, square
    for color in range(2):
        copy(values[color], weights.bias)
        view = view_of(pos.king[color], lean_of(pos, color))
        for square in range(SQUARES):
            KERNEL.change(
                values[color], values[color],
                row_of(weights, color, view, pos.board[square], square),
                weights.nothing, weights.nothing,
            )
    return weigh(weights, pos, values[pos.turn], values[pos.turn ^ 1])


cdef int network_value(NetworkState* state, const Position* pos) noexcept nogil:
    """The network's value of the position that the state has followed, from the side to move."""
    cdef int us = pos.turn
    cdef int value = weigh(
        state.weights, pos, accumulator(state, pos, us), accumulator(state, pos, us ^ 1)
    )
    ensure(value == value_from_scratch(state.weights, pos))
    return value


# Weights


cdef int most_of(int index) noexcept nogil:
    """How large a 16-bit number of a network may be."""
    if index < BIAS_AT:
        return MOST_WEIGHT
    return MOST_BIAS if index < OUTPUT_AT else MOST_OUTPUT


cdef int read_weights(Weights* weights, const uint8_t* data) noexcept nogil:
    """Read the numbers, the low byte first; -1, or the index of the first that is too large."""
    cdef int16_t* numbers = &weights.features[0][0]
    cdef int index, number
    for index in range(OUTPUT_BIAS_AT):
        number = <int16_t>(data[2 * index] | data[2 * index + 1] << 8)
        if not -most_of(index) <= number <= most_of(index):
            return index
        numbers[index] = number
    data += 2 * OUTPUT_BIAS_AT
    for index in range(OUTPUT_BUCKETS):
        weights.output_bias[index] = <int32_t>(
            data[0] | data[1] << 8 | data[2] << 16 | <uint32_t>data[3] << 24
        )
        data += 4
    return -1


cdef class Network:
    """The weights of a network, in memory once; searchers of any number of threads share it.

    ``payload`` are the weights packed: 16-bit numbers, features [FEATURES][HIDDEN], their bias
    [HIDDEN], output weights [bucket][own, other][HIDDEN], then 32-bit output biases [bucket], the
    low byte first. ValueError tells what is wrong with them.
    """

    def __cinit__(self, payload):
        cdef Py_buffer source
        cdef int index
        PyObject_GetBuffer(payload, &source, PyBUF_SIMPLE)
        try:
            if source.len != PAYLOAD_BYTES:
                raise ValueError(f"{source.len} bytes of weights, expected {PAYLOAD_BYTES}")
            self.weights = <Weights*>allocate_pages(sizeof(Weights))
            if self.weights == NULL:
                raise MemoryError("no memory for a network")
            index = read_weights(self.weights, <const uint8_t*>source.buf)
        finally:
            PyBuffer_Release(&source)
        if index >= 0:
            raise ValueError(
                f"weight {index} is beyond {most_of(index)}, so that a sum might overflow"
            )

    def __dealloc__(self):
        free_pages(self.weights)


use_kernel(kernels().pop())
