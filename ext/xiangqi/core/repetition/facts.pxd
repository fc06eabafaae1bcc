"""The facts of a ply: who attacks whom, at a profit or why not.

An *attack* is a pair of an attacker and a victim, the capture possible by the attacker's way
of moving. ``find_attacks`` gives each pair of one side in one position its reason;
``settle_attacks`` compares three positions (before the move, after it, after the reply) and
finds the profitable attacks that the move made and the reply parried.
"""

from xiangqi.core.moves.defs cimport Move, uint8_t
from xiangqi.core.moves.position cimport Position
from xiangqi.core.repetition.rules cimport Rules

cdef enum:  # Reason: why an attack is a chase or, far more often, is none
    UNCROSSED_PAWN       # the victim is a soldier on its own bank
    KING_OR_PAWN         # the attacker is a king or a soldier: these may chase for ever
    PINNED               # capturing would expose the attacker's own king
    EXCHANGE             # like attacks like: the victim could take first
    PROTECTED            # the capturer would be recaptured
    PROTECTED_THROUGH    # so it would, but only along lines through the attacker itself
    STOOD_BEFORE         # the threat was there before the move
    LINE_EXEMPT          # an attacker at rest gained only by a root whose line it blocks
    UNANSWERED           # the reply did not parry it
    CHASE
    REASONS

cdef enum:
    PROFIT = CHASE       # find_attacks: a profitable capture
    MAX_ATTACKS = 72     # two of each piece at 4 or 8 directions, five soldiers, a king: 67
    NO_SQUARE = 90

cdef struct Attack:
    uint8_t attacker     # square
    uint8_t victim       # square
    uint8_t reason
    uint8_t root         # a protector, real or false; or NO_SQUARE
    uint8_t identity     # of the victim, as the judge follows it

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
