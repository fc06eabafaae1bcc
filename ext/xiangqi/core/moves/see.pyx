"""The swap algorithm (https://www.chessprogramming.org/SEE_-_The_Swap_Algorithm) for Xiangqi.

Each capture on the square may open or close lines, screens and horse legs, so the attackers are
computed anew after each.
"""

from xiangqi.core.moves.bitboard cimport Bitboard, any_of, bit, lsb, pop_lsb, union, without
from xiangqi.core.moves.defs cimport (
    ADVISOR, BISHOP, CANNON, KING, KNIGHT, NO_KIND, PAWN, ROOK, from_square, kind_of, to_square,
)
from xiangqi.core.moves.position cimport all_pieces, attackers_to

# A soldier is 100. All values differ, so that the least valuable attacker is of one kind.
EXCHANGE_VALUE[NO_KIND] = 0
EXCHANGE_VALUE[PAWN] = 100
EXCHANGE_VALUE[ADVISOR] = 190
EXCHANGE_VALUE[BISHOP] = 200
EXCHANGE_VALUE[KNIGHT] = 430
EXCHANGE_VALUE[CANNON] = 470
EXCHANGE_VALUE[ROOK] = 950
EXCHANGE_VALUE[KING] = 20000


cdef int least_valuable(const Position* pos, Bitboard attackers) noexcept nogil:
    """Square of the least valuable attacker, the lowest among equals."""
    cdef int best = lsb(attackers)
    cdef int square
    while any_of(attackers):
        square = pop_lsb(&attackers)
        if (EXCHANGE_VALUE[kind_of(pos.board[square])]
                < EXCHANGE_VALUE[kind_of(pos.board[best])]):
            best = square
    return best


cdef bint see_ge(const Position* pos, Move move, int threshold) noexcept nogil:
    """Is the exchange that this pseudo-legal move begins worth at least ``threshold``?

    Both sides recapture with their least valuable piece and may stop at any time; pins are
    ignored. A king is worth more than any exchange, so it captures only unprotected pieces.
    """
    cdef int target = to_square(move)
    cdef int origin = from_square(move)
    cdef int side = pos.turn
    cdef int balance = EXCHANGE_VALUE[kind_of(pos.board[target])] - threshold
    cdef bint mover_content = True
    cdef Bitboard occupied, attackers
    if balance < 0:
        return False
    balance = EXCHANGE_VALUE[kind_of(pos.board[origin])] - balance
    if balance <= 0:
        return True
    occupied = union(without(all_pieces(pos), bit(origin)), bit(target))
    while True:
        side ^= 1
        attackers = attackers_to(pos, target, side, occupied)
        if not any_of(attackers):
            return mover_content
        origin = least_valuable(pos, attackers)
        occupied = without(occupied, bit(origin))
        mover_content = not mover_content
        # `balance` is the amount that the capturing side must still win back; equality is enough
        # for the mover, while the opponent has to win strictly more.
        balance = EXCHANGE_VALUE[kind_of(pos.board[origin])] - balance
        if balance < mover_content:
            return mover_content
