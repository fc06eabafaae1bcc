"""The facts of a ply: all attacks, and for each the reason why it is a chase or not.

An *attack* is a pair of an attacker and a victim that it can reach by a capture. ``find_attacks``
lists one side's attacks in one position with their reasons; ``settle_attacks`` compares three
positions (before the move, after it, after the reply) and finds the profitable attacks that the
move made and the reply parried.
"""

from xiangqi.core.moves.defs cimport Move, uint8_t
from xiangqi.core.moves.position cimport Position
from xiangqi.core.repetition.rules cimport Rules

cdef enum:  # Reason why an attack is no chase, or is one
    UNCROSSED_PAWN       # the victim is a soldier on its own bank
    KING_OR_PAWN         # the attacker is a king or a soldier, which may attack for ever
    PINNED               # capturing would expose the attacker's own king
    EXCHANGE             # the victim is of the same kind and can capture the attacker
    PROTECTED            # the captor would be recaptured
    PROTECTED_THROUGH    # the same, but only along lines through the attacker itself
    STOOD_BEFORE         # the threat existed before the move
    LINE_EXEMPT          # the attacker did not move, and a root whose line it blocked is gone
    UNANSWERED           # the reply did not parry it
    CHASE
    REASONS

cdef enum:
    PROFIT = CHASE       # result of find_attacks: a profitable capture
    MAX_ATTACKS = 72     # at most 67: pairs of pieces with 4 or 8 directions, soldiers, the king
    NO_SQUARE = 90

cdef struct Attack:
    uint8_t attacker     # square
    uint8_t victim       # square
    uint8_t reason
    uint8_t root         # a protector, real or false; or NO_SQUARE
    uint8_t identity     # of the victim, assigned by the judge

cdef struct AttackSet:
    int count
    Attack attacks[MAX_ATTACKS]

cdef void find_attacks(
    const Position* pos, int side, const Rules* rules, bint waive_check, AttackSet* found
) noexcept nogil
cdef void settle_attacks(
    AttackSet* now, const AttackSet* before, const AttackSet* after,
    Move move, Move reply, const Rules* rules
) noexcept nogil
