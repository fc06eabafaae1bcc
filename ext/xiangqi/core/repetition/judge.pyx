"""Conducts of both sides in a cycle, and the verdict.

There are three steps, each far more expensive than the one before: the cycle finder compares keys;
``verdicts_left`` tests the check flags of the history; only if a chase could matter are the attacks
of every ply of the window computed, on a copy of the position that is taken back to the window's
start and played forward again.
"""

from xiangqi.core.moves.bitboard cimport Bitboard, any_of, pop_lsb
from xiangqi.core.moves.defs cimport (
    BLACK, NO_MOVE, RED, SQUARES, Key, Move, from_square, to_square, uint8_t,
)
from xiangqi.core.moves.position cimport all_pieces, checkers, make, unmake
from xiangqi.core.repetition.conduct cimport (
    CONDUCTS, PERPETUAL_CHASE, Account, close_accounts, conduct_of, conducts_left, enter_ply,
    open_account, victims_of,
)
from xiangqi.core.repetition.facts cimport CHASE, find_attacks, settle_attacks
from xiangqi.core.repetition.rules cimport (
    CHECKING_MOVE_CHECK_AND_CHASE, CHECKING_MOVE_VOIDS_ALL, CHECK_ESCAPE_STANDING, IDENTITY_SQUARE,
)
from xiangqi.core.repetition.verdict cimport verdict_of
from xiangqi.core.system.bits cimport ensure


cdef int verdicts_left(
    const Undo* history, const Cycle* cycle, const Rules* rules, int turn
) noexcept nogil:
    """Verdicts that the check flags leave possible: bits ``1 << verdict``.

    ``turn`` is the side to move after the window.
    """
    cdef bint[2] only_checks = [True, True]
    cdef bint[2] any_check = [False, False]
    cdef int[2] conducts
    cdef int left = 0
    cdef int mover = turn
    cdef int ply, red, black
    for ply in range(cycle.last, cycle.first - 1, -1):
        mover ^= 1
        only_checks[mover] &= history[ply].check
        any_check[mover] |= history[ply].check
    if rules.checking_move == CHECKING_MOVE_VOIDS_ALL:
        any_check[RED] = any_check[BLACK] = any_check[RED] or any_check[BLACK]
    for mover in range(2):
        conducts[mover] = conducts_left(only_checks[mover], any_check[mover], rules)
    for red in range(CONDUCTS):
        for black in range(CONDUCTS):
            if conducts[RED] >> red & 1 and conducts[BLACK] >> black & 1:
                left |= 1 << verdict_of(red, black, rules)
    return left


cdef void lay_identities(const Position* pos, uint8_t* identity) noexcept nogil:
    """Number the pieces in square order from a0."""
    cdef Bitboard left = all_pieces(pos)
    cdef int number = 0
    while any_of(left):
        ensure(number < MAX_IDENTITIES)
        identity[pop_lsb(&left)] = number
        number += 1


cdef uint32_t chased_victims(const AttackSet* attacks) noexcept nogil:
    """The identities of the pieces chased on one ply."""
    cdef uint32_t victims = 0
    cdef int i
    for i in range(attacks.count):
        if attacks.attacks[i].reason == CHASE:
            victims |= <uint32_t>1 << attacks.attacks[i].identity
    return victims


cdef struct Pending:  # one side's latest ply, waiting for the reply to it
    int ply
    AttackSet before     # attacks before the move
    AttackSet now        # attacks after it
    bint check


cdef void find_attacks_now(
    const Position* pos, int side, const Rules* rules, const uint8_t* identity, Pending* pending
) noexcept nogil:
    """Find the attacks of the side that has just moved, with the identities of the victims.

    CHECK_ONLY (article 13): a move that gives check counts as a check and nothing else. Decides
    D13.
    """
    cdef int i
    pending.check = any_of(checkers(pos, side ^ 1))
    if pending.check and rules.checking_move != CHECKING_MOVE_CHECK_AND_CHASE:
        pending.now.count = 0
        return
    find_attacks(pos, side, rules, False, &pending.now)
    for i in range(pending.now.count):
        pending.now.attacks[i].identity = identity[pending.now.attacks[i].victim]


cdef void enter_pending(
    const Pending* own, Account* account, const Cycle* cycle, const Rules* rules, PlyFacts* facts
) noexcept nogil:
    """Add a settled ply to its side's account and to the evidence."""
    enter_ply(account, own.check, chased_victims(&own.now), rules)
    if facts != NULL:
        facts[own.ply - cycle.first].check = own.check
        facts[own.ply - cycle.first].attacks = own.now


cdef void rewind(
    Position* pos, const Undo* history, const Cycle* cycle
) noexcept nogil:
    """Unmake the plies of the window."""
    cdef int ply = cycle.last
    while ply >= cycle.first:
        unmake(pos, &history[ply])
        ply -= 1


cdef void judge_cycle(
    const Position* pos, const Undo* history, const Cycle* cycle, const Rules* rules,
    Judgment* judgment, PlyFacts* facts
) noexcept nogil:
    """Judge both sides over the window of ``cycle``.

    Every ply is judged together with its reply; the reply to the window's last ply is the move
    played after the latest earlier occurrence. If there is none (``previous`` is negative), the
    threats of the last ply count as parried. ``facts`` is NULL or an array with an element for each
    ply of the window, which receives the evidence.

    WINDOW (articles 32-33): both sides are judged on the same moves, all those since the first of
    the counted occurrences, not on the last round alone. Decides D80.
    """
    cdef Position at = pos[0]
    cdef Pending pending[2]
    cdef Account account[2]
    cdef AttackSet strict, waived
    cdef uint8_t identity[SQUARES]
    cdef Undo undo
    cdef Key start
    cdef Move move
    cdef Move reply = NO_MOVE
    cdef Pending* own
    cdef int ply, mover

    rewind(&at, history, cycle)
    start = at.key
    lay_identities(&at, identity)
    open_account(&account[BLACK])
    open_account(&account[RED])
    pending[BLACK].ply = pending[RED].ply = -1

    # One step past the reply to the window's last ply, so that every ply is settled.
    for ply in range(cycle.first, cycle.last + 3):
        mover = at.turn
        own = &pending[mover]
        find_attacks(&at, mover, rules, False, &strict)
        if own.ply >= 0:
            settle_attacks(
                &own.now, &own.before, &strict, history[own.ply].move, reply, rules
            )
            enter_pending(own, &account[mover], cycle, rules, facts)
        if ply > cycle.last + (cycle.previous >= 0):
            break
        move = history[ply if ply <= cycle.last else cycle.previous].move
        if any_of(checkers(&at, mover)) and rules.check_escape == CHECK_ESCAPE_STANDING:
            find_attacks(&at, mover, rules, True, &waived)
            own.before = waived
        else:
            own.before = strict
        own.ply = ply
        reply = move
        make(&at, move, &undo)
        identity[to_square(move)] = identity[from_square(move)]
        find_attacks_now(&at, mover, rules, identity, own)
        if rules.identity == IDENTITY_SQUARE and at.key == start:
            lay_identities(&at, identity)
    if cycle.previous < 0:  # the last ply has no reply
        own = &pending[at.turn ^ 1]
        strict.count = 0
        settle_attacks(&own.now, &own.before, &strict, history[own.ply].move, NO_MOVE, rules)
        enter_pending(own, &account[at.turn ^ 1], cycle, rules, facts)

    close_accounts(account, rules)
    for mover in range(2):
        judgment.conduct[mover] = conduct_of(&account[mover], rules)
        judgment.victims[mover] = 0
        if judgment.conduct[mover] == PERPETUAL_CHASE:
            judgment.victims[mover] = victims_of(&account[mover], rules)
    judgment.verdict = verdict_of(judgment.conduct[RED], judgment.conduct[BLACK], rules)
