"""Hand-made evaluation: a sum of terms, each a weight (for the middlegame and for the endgame)
times a count, so that a tuner can fit the weights. Only the scale factor of endings that are hard
to win is outside the sum. A soldier on its own bank is worth about 100."""

from xiangqi.core.evaluation.term_weights cimport TermWeights
from xiangqi.core.moves.defs cimport PIECE_CODES, int64_t, uint8_t
from xiangqi.core.moves.position cimport Position, Undo

cdef enum:
    PHASE_MAX = 32        # all chariots, horses and cannons are on the board
    SCALE_MAX = 64        # the side ahead has enough material to win

cdef struct TermState:       # one for each worker: the parts updated by each move
    const TermWeights* weights
    int64_t piece_squares    # material and piece-square values, Red's less Black's, both phases
    uint8_t count[PIECE_CODES]

cdef void terms_reset(TermState* state, const Position* pos) noexcept nogil
cdef void terms_make(TermState* state, const Position* pos, const Undo* undo) noexcept nogil
cdef void terms_unmake(TermState* state, const Position* pos, const Undo* undo) noexcept nogil
cdef int terms_value(const TermState* state, const Position* pos) noexcept nogil
cdef int unscaled_value(const TermState* state, const Position* pos) noexcept nogil
cdef int phase_of(const TermState* state) noexcept nogil
cdef int scale_of(const TermState* state, int strong) noexcept nogil
cdef void trace_terms(
    const TermState* state, const Position* pos, int* red_trace, int* black_trace
) noexcept nogil
