"""Positions: setting up, making and unmaking moves, attacks on a square, checks."""

from libc.string cimport memset

from xiangqi.core.moves.attacks cimport (
    ADVISOR_TO, KING_TO, PAWN_FROM, bishop_attacks, cannon_attacks, file_slide, knight_attackers,
    rook_attacks,
)
from xiangqi.core.moves.bitboard cimport (
    any_of, bb_empty, bit, common, differ, has, popcount, same, union, without,
)
from xiangqi.core.moves.defs cimport (
    ADVISOR, BISHOP, BLACK, CANNON, KING, KNIGHT, NO_PIECE, PAWN, RED, ROOK, color_of, from_square,
    kind_of, to_square,
)
from xiangqi.core.moves.zobrist cimport PIECE_KEY, TURN_KEY
from xiangqi.core.system.bits cimport ensure


cdef Bitboard[SQUARES] SQUARE_BIT  # bit() of each square, precomputed for make and unmake


cdef void clear_position(Position* pos, int turn) noexcept nogil:
    """Set up an empty board."""
    memset(pos, 0, sizeof(Position))
    pos.turn = turn
    pos.key = 0 if turn == RED else TURN_KEY


cdef void put_piece(Position* pos, int piece, int square) noexcept nogil:
    """Put a piece on an empty square."""
    cdef Bitboard there = SQUARE_BIT[square]
    pos.board[square] = piece
    pos.by_color[color_of(piece)] = union(pos.by_color[color_of(piece)], there)
    pos.by_kind[kind_of(piece)] = union(pos.by_kind[kind_of(piece)], there)
    pos.key ^= PIECE_KEY[piece][square]
    if kind_of(piece) == KING:
        pos.king[color_of(piece)] = square


cdef void set_position(
    Position* pos, const uint8_t* board, int turn, int halfmove_clock
) noexcept nogil:
    """Set up 90 piece codes that the caller has validated."""
    cdef int square
    clear_position(pos, turn)
    for square in range(SQUARES):
        if board[square] != NO_PIECE:
            put_piece(pos, board[square], square)
    pos.halfmove_clock = halfmove_clock
    ensure(is_consistent(pos))


cdef Key compute_key(const Position* pos) noexcept nogil:
    """Compute the key from scratch; ``make`` updates ``pos.key`` incrementally."""
    cdef Key key = 0 if pos.turn == RED else TURN_KEY
    cdef int square
    for square in range(SQUARES):
        key ^= PIECE_KEY[pos.board[square]][square]
    return key


cdef Key key_after(const Position* pos, Move move) noexcept nogil:
    """Key of the position after a pseudo-legal move."""
    cdef int origin = from_square(move)
    cdef int target = to_square(move)
    cdef const Key* moved = PIECE_KEY[pos.board[origin]]
    return (
        pos.key ^ TURN_KEY ^ moved[origin] ^ moved[target] ^ PIECE_KEY[pos.board[target]][target]
    )


cdef void make(Position* pos, Move move, Undo* undo) noexcept nogil:
    """Make a pseudo-legal move and fill in ``undo``, except its ``check``."""
    cdef int origin = from_square(move)
    cdef int target = to_square(move)
    cdef int piece = pos.board[origin]
    cdef int captured = pos.board[target]
    cdef int us = pos.turn
    cdef Bitboard target_bit = SQUARE_BIT[target]
    cdef Bitboard path = union(SQUARE_BIT[origin], target_bit)
    ensure(piece != NO_PIECE and color_of(piece) == us)
    undo.key = pos.key
    undo.halfmove_clock = pos.halfmove_clock
    undo.move = move
    undo.captured = captured
    pos.key = key_after(pos, move)
    pos.halfmove_clock += 1
    if captured != NO_PIECE:
        ensure(color_of(captured) != us and kind_of(captured) != KING)
        pos.by_color[us ^ 1] = differ(pos.by_color[us ^ 1], target_bit)
        pos.by_kind[kind_of(captured)] = differ(pos.by_kind[kind_of(captured)], target_bit)
        pos.halfmove_clock = 0
    pos.by_color[us] = differ(pos.by_color[us], path)
    pos.by_kind[kind_of(piece)] = differ(pos.by_kind[kind_of(piece)], path)
    pos.board[origin] = NO_PIECE
    pos.board[target] = piece
    if kind_of(piece) == KING:
        pos.king[us] = target
    pos.turn = us ^ 1
    ensure(is_consistent(pos))


cdef void unmake(Position* pos, const Undo* undo) noexcept nogil:
    """Unmake a move, restoring every byte of the position."""
    cdef int origin = from_square(undo.move)
    cdef int target = to_square(undo.move)
    cdef int piece = pos.board[target]
    cdef int captured = undo.captured
    cdef int us = pos.turn ^ 1
    cdef Bitboard target_bit = SQUARE_BIT[target]
    cdef Bitboard path = union(SQUARE_BIT[origin], target_bit)
    pos.by_color[us] = differ(pos.by_color[us], path)
    pos.by_kind[kind_of(piece)] = differ(pos.by_kind[kind_of(piece)], path)
    pos.board[origin] = piece
    pos.board[target] = captured
    if captured != NO_PIECE:
        pos.by_color[us ^ 1] = differ(pos.by_color[us ^ 1], target_bit)
        pos.by_kind[kind_of(captured)] = differ(pos.by_kind[kind_of(captured)], target_bit)
    if kind_of(piece) == KING:
        pos.king[us] = origin
    pos.turn = us
    pos.halfmove_clock = undo.halfmove_clock
    pos.key = undo.key
    ensure(is_consistent(pos))


cdef Bitboard attackers_to(
    const Position* pos, int square, int color, Bitboard occupied
) noexcept nogil:
    """The pieces of ``color`` that could capture an enemy on ``square``.

    ``occupied`` may differ from the board: pieces missing from it neither attack nor block, and an
    additional square blocks and is a screen.
    """
    cdef Bitboard found = common(rook_attacks(square, occupied), pos.by_kind[ROOK])
    found = union(found, common(cannon_attacks(square, occupied), pos.by_kind[CANNON]))
    found = union(found, common(knight_attackers(square, occupied), pos.by_kind[KNIGHT]))
    found = union(found, common(PAWN_FROM[color][square], pos.by_kind[PAWN]))
    found = union(found, common(bishop_attacks(square, occupied), pos.by_kind[BISHOP]))
    found = union(found, common(ADVISOR_TO[square], pos.by_kind[ADVISOR]))
    found = union(found, common(KING_TO[square], pos.by_kind[KING]))
    return common(common(found, pos.by_color[color]), occupied)


cdef Bitboard king_attackers(
    const Position* pos, int king, int color, Bitboard occupied, Bitboard enemies
) noexcept nogil:
    """Pieces among ``enemies`` that attack the king of ``color`` on the square ``king`` with this
    occupancy. The enemy king attacks along an open file."""
    cdef Bitboard found = common(rook_attacks(king, occupied), pos.by_kind[ROOK])
    found = union(found, common(file_slide(king, occupied), pos.by_kind[KING]))
    found = union(found, common(cannon_attacks(king, occupied), pos.by_kind[CANNON]))
    found = union(found, common(knight_attackers(king, occupied), pos.by_kind[KNIGHT]))
    found = union(found, common(PAWN_FROM[color ^ 1][king], pos.by_kind[PAWN]))
    return common(found, enemies)


cdef bint is_safe_after(const Position* pos, int color, Move move) noexcept nogil:
    """Is the king of ``color`` safe after this pseudo-legal move of its side?"""
    cdef int origin = from_square(move)
    cdef int target = to_square(move)
    cdef int king = target if origin == pos.king[color] else pos.king[color]
    cdef Bitboard landed = bit(target)
    cdef Bitboard occupied = union(
        without(union(pos.by_color[0], pos.by_color[1]), bit(origin)), landed
    )
    return not any_of(
        king_attackers(pos, king, color, occupied, without(pos.by_color[color ^ 1], landed))
    )


cdef Bitboard checkers(const Position* pos, int color) noexcept nogil:
    """The enemy pieces that attack the king of ``color``."""
    return king_attackers(
        pos, pos.king[color], color, all_pieces(pos), pos.by_color[color ^ 1]
    )


cdef bint is_consistent(const Position* pos) noexcept nogil:
    """Do board, bitboards, kings and key agree?"""
    cdef int square, piece, kind, color
    cdef Bitboard seen = bb_empty()
    if any_of(common(pos.by_color[BLACK], pos.by_color[RED])):
        return False
    for color in range(2):
        for kind in range(KING, KINDS):
            seen = union(seen, pieces(pos, color, kind))
        if pos.board[pos.king[color]] != (KING | (color << 3)):
            return False
    if not same(seen, all_pieces(pos)):
        return False
    for square in range(SQUARES):
        piece = pos.board[square]
        if piece == NO_PIECE:
            if has(seen, square):
                return False
        elif not has(pieces(pos, color_of(piece), kind_of(piece)), square):
            return False
    return popcount(seen) <= 2 * 16 and pos.key == compute_key(pos)


cdef void fill_square_bits() noexcept nogil:
    cdef int square
    for square in range(SQUARES):
        SQUARE_BIT[square] = bit(square)


fill_square_bits()
