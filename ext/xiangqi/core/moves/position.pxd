"""A position, making and unmaking moves, and attackers of a square."""

from xiangqi.core.moves.bitboard cimport Bitboard
from xiangqi.core.moves.defs cimport KINDS, SQUARES, Key, Move, int32_t, uint8_t

cdef struct Position:
    Bitboard by_color[2]
    Bitboard by_kind[KINDS]
    uint8_t board[SQUARES]   # piece codes
    uint8_t king[2]          # each side's king's square
    uint8_t turn
    int32_t halfmove_clock   # plies since the last capture
    Key key

cdef struct Undo:
    Key key                  # of the position before the move
    int32_t halfmove_clock   # before the move
    Move move
    uint8_t captured
    uint8_t check            # the move gave check; set by the caller of ``make``

cdef void clear_position(Position* pos, int turn) noexcept nogil
cdef void put_piece(Position* pos, int piece, int square) noexcept nogil
cdef void set_position(
    Position* pos, const uint8_t* board, int turn, int halfmove_clock
) noexcept nogil
cdef void make(Position* pos, Move move, Undo* undo) noexcept nogil
cdef void unmake(Position* pos, const Undo* undo) noexcept nogil
cdef Key key_after(const Position* pos, Move move) noexcept nogil
cdef Key compute_key(const Position* pos) noexcept nogil
cdef bint is_consistent(const Position* pos) noexcept nogil

cdef Bitboard attackers_to(
    const Position* pos, int square, int color, Bitboard occupied
) noexcept nogil
cdef Bitboard king_attackers(
    const Position* pos, int king, int color, Bitboard occupied, Bitboard enemies
) noexcept nogil
cdef bint is_safe_after(const Position* pos, int color, Move move) noexcept nogil
cdef Bitboard checkers(const Position* pos, int color) noexcept nogil


cdef inline Bitboard pieces(const Position* pos, int color, int kind) noexcept nogil:
    return Bitboard(
        pos.by_color[color].low & pos.by_kind[kind].low,
        pos.by_color[color].high & pos.by_kind[kind].high,
    )


cdef inline Bitboard all_pieces(const Position* pos) noexcept nogil:
    return Bitboard(
        pos.by_color[0].low | pos.by_color[1].low,
        pos.by_color[0].high | pos.by_color[1].high,
    )
