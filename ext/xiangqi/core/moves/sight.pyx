"""Attackers and protectors of a square, for the Python API; not used by the search."""

from xiangqi.core.moves.bitboard cimport (
    Bitboard, any_of, bb_empty, bit, has, pop_lsb, union, without,
)
from xiangqi.core.moves.defs cimport (
    ADVISOR, BISHOP, KING, NO_PIECE, SQUARES, color_of, encode_move,
)
from xiangqi.core.moves.position cimport (
    all_pieces, attackers_to, checkers, is_safe_after, king_attackers,
)


cdef Bitboard find_attacked(const Position* pos, int origin) noexcept nogil:
    """Squares on which the piece on ``origin`` could capture an enemy, ignoring pins; empty for an
    empty square."""
    cdef Bitboard attacked = bb_empty()
    cdef int target
    if pos.board[origin] == NO_PIECE:
        return attacked
    for target in range(SQUARES):
        if has(attackers_to(pos, target, color_of(pos.board[origin]), all_pieces(pos)), origin):
            attacked = union(attacked, bit(target))
    return attacked


cdef void find_protectors(
    const Position* pos, int target, Bitboard* real, Bitboard* false
) noexcept nogil:
    """Protectors of the piece on ``target``: real ones may recapture, false ones would expose their
    own king by recapturing. Both sets are empty for an empty square."""
    cdef int color = color_of(pos.board[target])
    cdef Bitboard reaching, left
    cdef int origin
    real[0] = false[0] = bb_empty()
    if pos.board[target] == NO_PIECE:
        return
    reaching = attackers_to(pos, target, color, all_pieces(pos))
    left = reaching
    while any_of(left):
        origin = pop_lsb(&left)
        if is_safe_after(pos, color, encode_move(origin, target)):
            real[0] = union(real[0], bit(origin))
    false[0] = without(reaching, real[0])


cdef Bitboard find_pinned(const Position* pos, int color) noexcept nogil:
    """Pieces whose removal would expose their king to a new attacker."""
    cdef int king = pos.king[color]
    cdef Bitboard left = without(pos.by_color[color], bit(king))
    cdef Bitboard checking = checkers(pos, color)
    cdef Bitboard exposed
    cdef Bitboard pinned = bb_empty()
    cdef int square
    while any_of(left):
        square = pop_lsb(&left)
        exposed = king_attackers(
            pos, king, color, without(all_pieces(pos), bit(square)), pos.by_color[color ^ 1]
        )
        if any_of(without(exposed, checking)):
            pinned = union(pinned, bit(square))
    return pinned


cdef bint can_anyone_attack(const Position* pos) noexcept nogil:
    """Has either side a piece that may cross the river?"""
    cdef Bitboard staying = union(
        pos.by_kind[KING], union(pos.by_kind[ADVISOR], pos.by_kind[BISHOP])
    )
    return any_of(without(all_pieces(pos), staying))
