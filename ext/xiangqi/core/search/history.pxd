"""History tables: they order moves and correct the static evaluation.

Counters are bounded: each update pulls them towards zero ("gravity",
https://www.chessprogramming.org/History_Heuristic#History_Bonuses), so that recent results weigh
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
    PIECE_TOS = PIECE_CODES * SQUARES   # a piece and its target square
    CORRECTIONS = 1 << 14
    PAWN_ROWS = 512
    HISTORY_LIMIT = 16384

cdef enum:
    CONTINUATIONS = 4         # earlier moves in the continuation history ...
    NEAR_CONTINUATIONS = 2    # ... of which these have full weight

cdef int[CONTINUATIONS] CONTINUATION_PLIES  # their distances in plies

cdef struct Histories:
    int16_t butterfly[2][MOVES]               # [color][move]: quiet moves
    int16_t captures[PIECE_TOS][KINDS]        # [piece and target][captured kind]
    int16_t continuation[PIECE_TOS][PIECE_TOS]  # [earlier move][this move], as piece and target
    int16_t pawns[PAWN_ROWS][PIECE_TOS]       # [pawn structure][this move]
    Move counter[PIECE_TOS]                   # last quiet move that refuted this one
    Move killers[MAX_PLY + 2][2]              # [ply]: quiet moves that refuted siblings
    # Differences between search and static evaluation: [side to move] ...
    int16_t pawn_correction[2][CORRECTIONS]       # [pawn structure]
    int16_t non_pawn_correction[2][2][CORRECTIONS]     # [color][its other pieces]
    int16_t continuation_correction[PIECE_TOS][PIECE_TOS]  # [move before last][last move]


cdef inline int piece_to(int piece, int target) noexcept nogil:
    """Index of a piece and its target square."""
    return piece * SQUARES + target


cdef inline uint64_t spread(uint64_t word) noexcept nogil:
    """Product with a multiplier of SplitMix64."""
    return word * <uint64_t>0xBF58476D1CE4E5B9


cdef inline uint64_t mixed(uint64_t word) noexcept nogil:
    """Finalizer that spreads all bits of a word."""
    word = spread(word ^ (word >> 29))
    return word ^ (word >> 32)


cdef inline int pawn_key(const Position* pos) noexcept nogil:
    """Hash of the pawn structure, below CORRECTIONS."""
    cdef Bitboard pawns = pos.by_kind[PAWN]
    cdef uint64_t own = pos.by_color[0].low & pawns.low
    return <int>(mixed(pawns.low ^ mixed(pawns.high ^ mixed(own))) & (CORRECTIONS - 1))


cdef inline int16_t* pawn_row(Histories* histories, const Position* pos) noexcept nogil:
    """Pawn history of this pawn structure."""
    return histories.pawns[pawn_key(pos) % PAWN_ROWS]


cdef inline int non_pawn_key(const Position* pos, int color) noexcept nogil:
    """Hash of one side's pieces other than pawns and king, below CORRECTIONS."""
    cdef const Bitboard* own = &pos.by_color[color]
    cdef const Bitboard* kind_set
    cdef uint64_t key = 0
    cdef int kind
    for kind in range(KING + 1, PAWN):
        kind_set = &pos.by_kind[kind]
        key = spread(key + (own.low & kind_set.low)) + (own.high & kind_set.high)
    return <int>(mixed(key) & (CORRECTIONS - 1))


cdef void clear_histories(Histories* histories) noexcept nogil
cdef void age_histories(Histories* histories, int percent) noexcept nogil
cdef void update_history(int16_t* counter, int bonus) noexcept nogil
