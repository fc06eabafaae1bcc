"""Endgames with a single attacking piece: which are won, and their scores."""

from xiangqi.core.evaluation.scores cimport DRAW_SCORE
from xiangqi.core.moves.bitboard cimport any_of, lsb, meet, popcount
from xiangqi.core.moves.defs cimport ADVISOR, BISHOP, FILES, RANKS, RED, color_of, kind_of
from xiangqi.core.moves.position cimport pieces

cdef enum:
    ALL_GUARDS = 4
    DRAWN_DIVISOR = 16     # divides the value of drawn endings, so that chances are still tried
    MIN_WIN = 400          # a win is worth at least this plus half of its value


cdef bint lone_wins(int kind, int own_advisors, int advisors, int bishops) noexcept nogil:
    """Does one attacker beat a king with these guards? The soldier is not on the last rank.

    A chariot wins unless all four guards are left; a horse against at most one advisor; a cannon
    with an advisor of its own as mount against advisors alone or one elephant alone; a soldier
    against a bare king.
    """
    if kind == ROOK:
        return advisors + bishops < ALL_GUARDS
    if kind == KNIGHT:
        return advisors <= 1 and bishops == 0
    if kind == CANNON:
        return own_advisors > 0 and (bishops == 0 or (bishops == 1 and advisors == 0))
    return advisors + bishops == 0


cdef inline bint is_old(int square, int us) noexcept nogil:
    """Is a soldier on the last rank, where it can only move sideways?"""
    return square // FILES == (RANKS - 1 if us == RED else 0)


cdef bint attacker_wins(const Position* pos) noexcept nogil:
    """Does the one attacker on the board win?"""
    cdef int square = lsb(all_attackers(pos))
    cdef int kind = kind_of(pos.board[square])
    cdef int us = color_of(pos.board[square])
    return not (kind == PAWN and is_old(square, us)) and lone_wins(
        kind,
        popcount(pieces(pos, us, ADVISOR)),
        popcount(pieces(pos, us ^ 1, ADVISOR)),
        popcount(pieces(pos, us ^ 1, BISHOP)),
    )


cdef int lone_value(const Position* pos, int value) noexcept nogil:
    """Adjust the value, from the side to move, of an ending with at most one attacker."""
    cdef Bitboard attackers = all_attackers(pos)
    if not any_of(attackers):
        return DRAW_SCORE
    if not attacker_wins(pos):
        return value // DRAWN_DIVISOR
    if meet(attackers, pos.by_color[pos.turn]):
        return max(value, MIN_WIN + value // 2)
    return min(value, value // 2 - MIN_WIN)
