"""The evaluation: what a quiet position is worth to the side to move, by a network or by terms.

A soldier on its own bank is about 100. A network, where one is given, has the word; else the
hand-made evaluation, in which every term is a weight (for the middle game and for the end game)
times a count, so that a tuner can fit the weights; only the scale for endings that cannot be won
stands outside. The weights come from ``xiangqi.weights``.
"""

from xiangqi.core.defs cimport PIECE_CODES, int64_t, uint8_t
from xiangqi.core.network cimport NetworkState
from xiangqi.core.position cimport Position, Undo

cdef enum:
    PHASE_MAX = 32        # all chariots, horses and cannons are on the board
    SCALE_MAX = 64        # nothing speaks against a win

cdef enum:  # where each group of weights begins; xiangqi.weights has them in the same order
    MATERIAL = 0                                # [kind - 1]
    PIECE_SQUARES = MATERIAL + 7                # [kind - 1][row from the far bank][folded file]
    ARMY = PIECE_SQUARES + 7 * 50               # [chariots][horses][cannons]
    NO_ADVISOR = ARMY + 27                      # [enemy kind - KNIGHT]
    NO_BISHOP = NO_ADVISOR + 4                  # [enemy kind - KNIGHT]
    CANNON_MOUNTS = NO_BISHOP + 4
    ROOK_MOBILITY = CANNON_MOUNTS + 1           # [squares]
    CANNON_MOBILITY = ROOK_MOBILITY + 18        # [squares]
    KNIGHT_MOBILITY = CANNON_MOBILITY + 18      # [squares]
    ROOK_OPEN_FILE = KNIGHT_MOBILITY + 9        # [enemy soldiers on the file?]
    ROOK_ON_RIB = ROOK_OPEN_FILE + 2
    LINKED = ROOK_ON_RIB + 1                    # [kind - 1]
    KNIGHT_OUTPOST = LINKED + 7
    PAWN_PROTECTED = KNIGHT_OUTPOST + 1
    CROSSED = PAWN_PROTECTED + 1                # [chariots, horses and cannons]
    BARE_CANNON = CROSSED + 7                   # [on the king's file?]
    BARE_CANNON_ROOKS = BARE_CANNON + 2
    CANNON_BEHIND_TWO = BARE_CANNON_ROOKS + 1   # [on the king's file?][king's own between]
    ROOK_BEHIND_ONE = CANNON_BEHIND_TWO + 6     # [on the king's file?][king's own between]
    KING_COMMANDS_FILE = ROOK_BEHIND_ONE + 4
    KING_DANGER = KING_COMMANDS_FILE + 1        # [attack units]
    PAWN_THREAT = KING_DANGER + 32              # [victim's kind - KNIGHT]
    ROOK_THREATENED = PAWN_THREAT + 3
    HANGING = ROOK_THREATENED + 1               # [kind - 1]
    TEMPO = HANGING + 7
    WEIGHTS_USED = TEMPO + 1

cdef struct EvalState:       # of one searcher; what a move changes little of
    NetworkState* network    # evaluates in place of the terms, and nothing else is kept; or NULL
    int64_t piece_squares    # material and piece-square values, Red's less Black's, both phases
    uint8_t count[PIECE_CODES]

cdef void eval_reset(EvalState* state, const Position* pos, NetworkState* network) noexcept nogil
cdef void eval_make(EvalState* state, const Position* pos, const Undo* undo) noexcept nogil
cdef void eval_unmake(EvalState* state, const Position* pos, const Undo* undo) noexcept nogil
cdef int phase_of(const EvalState* state) noexcept nogil
cdef int scale_of(const EvalState* state, int strong) noexcept nogil
cdef int unscaled_value(const Position* pos, const EvalState* state) noexcept nogil
cdef int evaluate(const Position* pos, EvalState* state) noexcept nogil
cdef void trace_terms(
    const Position* pos, const EvalState* state, int* red_trace, int* black_trace
) noexcept nogil
cdef void set_weight(int index, int middle_game, int end_game) noexcept nogil
cdef void fill_piece_squares() noexcept nogil
