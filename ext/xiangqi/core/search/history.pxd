"""What moves were worth elsewhere in the tree: the tables that order moves and correct scores.

All counters are bounded and pulled back towards zero by every update ("gravity",
https://www.chessprogramming.org/History_Heuristic#History_Bonuses), so recent results weigh
more than old ones.
"""

from xiangqi.core.evaluation.scores cimport MAX_PLY
from xiangqi.core.moves.bitboard cimport Bitboard
from xiangqi.core.moves.defs cimport KINDS, PIECE_CODES, SQUARES, Move, int16_t
from xiangqi.core.moves.position cimport Position

cdef enum:
    MOVES = 1 << 14
    PIECE_TOS = PIECE_CODES * SQUARES   # a piece and the square it went to
    CORRECTIONS = 1 << 14
    HISTORY_LIMIT = 16384

cdef struct Histories:
    int16_t butterfly[2][MOVES]               # [color][move]: quiet moves
    int16_t captures[PIECE_TOS][KINDS]        # [piece and target][captured kind]
    int16_t continuation[PIECE_TOS][PIECE_TOS]  # [an earlier move][this move], as piece and target
    int16_t correction[2][CORRECTIONS]        # [color][pawns and material]: search minus static
    Move counter[PIECE_TOS]                   # the quiet move that refuted this one last
    Move killers[MAX_PLY + 2][2]              # quiet moves that refuted siblings


cdef inline int piece_to(int piece, int target) noexcept nogil:
    return piece * SQUARES + target


cdef void forget(Histories* histories) noexcept nogil
cdef void adjust(int16_t* counter, int bonus) noexcept nogil
cdef int correction_index(const Position* pos) noexcept nogil
