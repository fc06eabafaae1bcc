"""Legal moves: as sets of target squares, as lists by stage, or counted; tests of single moves."""

from xiangqi.core.moves.bitboard cimport Bitboard
from xiangqi.core.moves.defs cimport MAX_MOVES, MAX_PIECES, Move, uint8_t
from xiangqi.core.moves.position cimport Position

cdef struct MoveList:
    int count
    Move moves[MAX_MOVES]

cdef struct MoveSets:  # the legal moves of one side: for each piece that has any, its targets
    int count
    uint8_t origin[MAX_PIECES]
    Bitboard targets[MAX_PIECES]

cdef struct KingSafety:  # constraints on a side's moves, computed once for a position
    Bitboard checkers
    Bitboard held      # pieces that shield their king or mount a check: their moves need a test
    Bitboard mounts    # empty squares on which any piece would be a cannon's screen
    Bitboard answers   # in check: squares on which a piece that is not held may parry it

cdef KingSafety find_king_safety(const Position* pos, int us) noexcept nogil
cdef Bitboard pseudo_targets(const Position* pos, int square) noexcept nogil
cdef void find_moves(const Position* pos, Bitboard allowed, MoveSets* sets) noexcept nogil

cdef void generate_captures(const Position* pos, MoveList* moves) noexcept nogil
cdef void generate_quiets(const Position* pos, MoveList* moves) noexcept nogil
cdef void generate_evasions(const Position* pos, MoveList* moves) noexcept nogil
cdef void generate_legal(const Position* pos, MoveList* moves) noexcept nogil
cdef int count_legal(const Position* pos) noexcept nogil
cdef bint has_legal_move(const Position* pos) noexcept nogil

cdef bint is_pseudo_legal(const Position* pos, int move) noexcept nogil
cdef bint is_legal(const Position* pos, int move) noexcept nogil
cdef bint gives_check(const Position* pos, Move move) noexcept nogil
cdef Bitboard unveiling_squares(const Position* pos) noexcept nogil
cdef bint is_check(const Position* pos, Move move, Bitboard unveiling) noexcept nogil
