"""What moves were worth elsewhere in the tree: the tables that order moves and correct scores.

All counters are bounded and pulled back towards zero by every update ("gravity",
https://www.chessprogramming.org/History_Heuristic#History_Bonuses), so recent results weigh
more than old ones.
"""

from xiangqi.core.evaluation.scores cimport MAX_PLY
from xiangqi.core.moves.bitboard cimport Bitboard
from xiangqi.core.moves.defs cimport (
    KING, KINDS, PAWN, PIECE_CODES, SQUARES, Move, int16_t, uint64_t,
)
from xiangqi.core.moves.position cimport Position

cdef enum:
    MOVES = 1 << 14
    PIECE_TOS = PIECE_CODES * SQUARES   # a piece and the square it went to
    CORRECTIONS = 1 << 14
    PAWN_ROWS = 512
    HISTORY_LIMIT = 16384

cdef enum:
    CONTINUATIONS = 4         # earlier moves that a move is remembered with ...
    NEAR_CONTINUATIONS = 2    # ... of which these count in full

cdef int[CONTINUATIONS] CONTINUATION_PLIES  # how many plies ago they were

cdef struct Histories:
    int16_t butterfly[2][MOVES]               # [color][move]: quiet moves
    int16_t captures[PIECE_TOS][KINDS]        # [piece and target][captured kind]
    int16_t continuation[PIECE_TOS][PIECE_TOS]  # [an earlier move][this move], as piece and target
    int16_t pawns[PAWN_ROWS][PIECE_TOS]       # [how the soldiers stand][this move]
    Move counter[PIECE_TOS]                   # the quiet move that refuted this one last
    Move killers[MAX_PLY + 2][2]              # quiet moves that refuted siblings
    # What searches found beyond the static evaluation: [side to move] ...
    int16_t pawn_correction[2][CORRECTIONS]       # [how the soldiers stand]
    int16_t men_correction[2][2][CORRECTIONS]     # [a side][how its other men stand]
    int16_t line_correction[PIECE_TOS][PIECE_TOS]  # or after two moves: [the first][the second]


cdef inline int piece_to(int piece, int target) noexcept nogil:
    return piece * SQUARES + target


cdef inline uint64_t spread(uint64_t word) noexcept nogil:
    """Times a multiplier of SplitMix64."""
    return word * <uint64_t>0xBF58476D1CE4E5B9


cdef inline uint64_t mixed(uint64_t word) noexcept nogil:
    word = spread(word ^ (word >> 29))
    return word ^ (word >> 32)


cdef inline int pawn_index(const Position* pos) noexcept nogil:
    """A number for how all soldiers stand, below CORRECTIONS."""
    cdef Bitboard pawns = pos.by_kind[PAWN]
    cdef uint64_t own = pos.by_color[0].low & pawns.low
    return <int>(mixed(pawns.low ^ mixed(pawns.high ^ mixed(own))) & (CORRECTIONS - 1))


cdef inline int16_t* pawn_row(Histories* histories, const Position* pos) noexcept nogil:
    """The history of moves where the soldiers stand like this."""
    return histories.pawns[pawn_index(pos) % PAWN_ROWS]


cdef inline int men_index(const Position* pos, int color) noexcept nogil:
    """A number for how a side's men stand, soldiers and king left out, below CORRECTIONS."""
    cdef const Bitboard* own = &pos.by_color[color]
    cdef const Bitboard* men
    cdef uint64_t key = 0
    cdef int kind
    for kind in range(KING + 1, PAWN):
        men = &pos.by_kind[kind]
        key = spread(key + (own.low & men.low)) + (own.high & men.high)
    return <int>(mixed(key) & (CORRECTIONS - 1))


cdef void forget(Histories* histories) noexcept nogil
cdef void adjust(int16_t* counter, int bonus) noexcept nogil
