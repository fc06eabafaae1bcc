"""Marks of a move: the judge's facts for the mover and for the opponent.

The judge compares three positions. Here a new threat is found without the reply, as if that parried
everything; a parry is found without the position before the threat.
"""

from xiangqi.core.moves.bitboard cimport any_of
from xiangqi.core.moves.defs cimport NO_MOVE
from xiangqi.core.moves.movegen cimport gives_check
from xiangqi.core.moves.position cimport Undo, checkers, make
from xiangqi.core.repetition.facts cimport (
    CHASE, PROFIT, UNANSWERED, find_attacks, settle_attacks,
)
from xiangqi.core.repetition.rules cimport (
    CHECKING_MOVE_CHECK_AND_CHASE, CHECK_ESCAPE_STANDING, are_chases_offences,
)


cdef void forget_facts(Facts* facts) noexcept nogil:
    """Clear the cached facts for a new position."""
    facts.own_found = facts.enemy_found = False


cdef const AttackSet* own_attacks(
    const Position* pos, const Rules* rules, Facts* facts
) noexcept nogil:
    cdef bint waive
    if not facts.own_found:
        waive = any_of(checkers(pos, pos.turn)) and rules.check_escape == CHECK_ESCAPE_STANDING
        find_attacks(pos, pos.turn, rules, waive, &facts.own)
        facts.own_found = True
    return &facts.own


cdef const AttackSet* enemy_attacks(
    const Position* pos, const Rules* rules, Facts* facts
) noexcept nogil:
    if not facts.enemy_found:
        find_attacks(pos, pos.turn ^ 1, rules, False, &facts.enemy)
        facts.enemy_found = True
    return &facts.enemy


cdef bint has_reason(const AttackSet* attacks, int reason) noexcept nogil:
    cdef int i
    for i in range(attacks.count):
        if attacks.attacks[i].reason == reason:
            return True
    return False


cdef bint makes_threat(
    const Position* before, const Position* after, Move move, const Rules* rules, Facts* facts
) noexcept nogil:
    cdef AttackSet made, nothing
    find_attacks(after, before.turn, rules, False, &made)
    if not has_reason(&made, PROFIT):
        return False
    nothing.count = 0
    settle_attacks(&made, own_attacks(before, rules, facts), &nothing, move, NO_MOVE, rules)
    return has_reason(&made, CHASE)


cdef int find_answers(
    const Position* before, const Position* after, Move move, const Rules* rules, Facts* facts
) noexcept nogil:
    """ANSWERS if the move parries all threats, PARRIES if it parries one."""
    cdef AttackSet left, later, nothing
    cdef int marks = 0
    left = enemy_attacks(before, rules, facts)[0]
    if not has_reason(&left, PROFIT):
        return ANSWERS | PARRIES
    nothing.count = 0
    find_attacks(after, after.turn, rules, False, &later)
    settle_attacks(&left, &nothing, &later, NO_MOVE, move, rules)
    if not has_reason(&left, UNANSWERED):
        marks |= ANSWERS
    if has_reason(&left, CHASE):
        marks |= PARRIES
    return marks


cdef int marks_of_move(
    const Position* before, Move move, const Rules* rules, Facts* facts, int wanted
) noexcept nogil:
    """Marks of a legal move among ``wanted``; only those are computed."""
    cdef Position after
    cdef Undo undo
    cdef int marks = 0
    if not are_chases_offences(rules):
        marks = ANSWERS | PARRIES
    if wanted & (CHECKS | CHASES) and gives_check(before, move):
        marks |= CHECKS
    if not are_chases_offences(rules) or not wanted & ~CHECKS:
        return marks & wanted
    after = before[0]
    make(&after, move, &undo)
    if wanted & CHASES and (
        not marks & CHECKS or rules.checking_move == CHECKING_MOVE_CHECK_AND_CHASE
    ):
        marks |= CHASES if makes_threat(before, &after, move, rules, facts) else 0
    if wanted & (ANSWERS | PARRIES):
        marks |= find_answers(before, &after, move, rules, facts)
    return marks & wanted
