"""Repetition: is there a cycle, what did each side do in it, and what follows.

The verdict needs three steps, each cheaper to skip than to take: ``find_cycle`` compares
keys; the check flags of the history are at hand; only when a chase could matter are the
attacks of every ply of the window worked out, on a copy of the position that is rolled back
to the window's start and played forward again.
"""

from xiangqi.core.bitboard cimport Bitboard, any_of, ensure, pop_lsb
from xiangqi.core.defs cimport (
    BLACK, NO_MOVE, NO_PIECE, RED, SQUARES, Key, from_square, to_square, uint8_t,
)
from xiangqi.core.position cimport all_pieces, checkers, make, unmake
from xiangqi.core.threats cimport CHASE, find_attacks, settle_attacks

# The verdict table: [Red's conduct][Black's conduct].
cdef int[CONDUCTS][CONDUCTS] VERDICTS
VERDICTS[IDLE][:] = [DRAW, RED_WINS, RED_WINS]
VERDICTS[PERPETUAL_CHASE][:] = [BLACK_WINS, DRAW, RED_WINS]
VERDICTS[PERPETUAL_CHECK][:] = [BLACK_WINS, BLACK_WINS, DRAW]

cdef enum:
    MAX_IDENTITIES = 32

cdef uint32_t ANYONE = 0xFFFFFFFF  # before the first ply any piece may be the common victim


cdef int verdict_of(int red, int black) noexcept nogil:
    """The side with the graver conduct loses; like against like is a draw."""
    return VERDICTS[red][black]


cdef bint find_cycle(
    const Position* pos, const Undo* history, int plies, int required, Cycle* cycle
) noexcept nogil:
    """Has the present position occurred ``required`` times, now included?

    ``history`` holds the ``plies`` moves that led here. Nothing before the last capture can
    repeat. ``cycle.occurrences`` is always filled, the rest only when the answer is yes.
    """
    cdef int ply = plies - 1
    cdef int reversible = 0
    cycle.occurrences = 1
    cycle.previous = -1
    while ply >= 0 and history[ply].captured == NO_PIECE:
        reversible += 1
        if reversible % 2 == 0 and history[ply].key == pos.key:
            cycle.occurrences += 1
            if cycle.previous < 0:
                cycle.previous = ply
            if cycle.occurrences == required:
                cycle.first = ply
                cycle.last = plies - 1
        ply -= 1
    return cycle.occurrences >= required


cdef void open_account(Account* account) noexcept nogil:
    account.only_checks = account.only_chases = True
    account.common = account.latest = ANYONE
    account.shared = 0


cdef void enter_ply(
    Account* account, bint check, uint32_t victims, const Rules* rules
) noexcept nogil:
    """Book one ply: perpetual check needs all checks, perpetual chase a victim all along."""
    cdef uint32_t again = account.latest & victims
    account.only_checks &= check
    account.common &= victims
    if rules.victims_pairwise:
        account.only_chases &= again != 0
    else:
        account.only_chases &= account.common != 0
    if account.latest != ANYONE:
        account.shared |= again
    account.latest = victims


cdef int conduct_of(const Account* account, const Rules* rules) noexcept nogil:
    if account.only_checks:
        return PERPETUAL_CHECK if rules.count_checks else IDLE
    if account.only_chases:
        return PERPETUAL_CHASE if rules.count_chases else IDLE
    return IDLE


cdef void lay_identities(const Position* pos, uint8_t* identity) noexcept nogil:
    """Number the pieces by square, from a0: the same position gives the same numbers."""
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
    """The attacks of the side that has just moved, with the identities of the victims."""
    cdef int i
    pending.check = any_of(checkers(pos, side ^ 1))
    if pending.check and not rules.checks_may_chase:
        pending.now.count = 0  # a check is a check only
        return
    find_attacks(pos, side, rules, False, &pending.now)
    for i in range(pending.now.count):
        pending.now.attacks[i].identity = identity[pending.now.attacks[i].victim]


cdef void rewind(
    Position* pos, const Undo* history, const Cycle* cycle
) noexcept nogil:
    """Take back the plies of the window."""
    cdef int ply = cycle.last
    while ply >= cycle.first:
        unmake(pos, &history[ply])
        ply -= 1


cdef void judge_cycle(
    const Position* pos, const Undo* history, const Cycle* cycle, const Rules* rules,
    Judgment* judgment, PlyFacts* facts
) noexcept nogil:
    """Judge both sides over the one window of ``cycle``.

    Every ply is followed to the position after its reply; the reply to the window's last
    ply is the move played when the position last stood. ``facts`` is NULL or has room for
    every ply of the window; the evidence goes there.
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

    # One step past the window's last reply, so that every ply of it has been answered.
    for ply in range(cycle.first, cycle.last + 3):
        mover = at.turn
        own = &pending[mover]
        find_attacks(&at, mover, rules, False, &strict)
        if own.ply >= 0:
            settle_attacks(
                &own.now, &own.before, &strict, history[own.ply].move, reply, rules
            )
            enter_ply(&account[mover], own.check, chased_victims(&own.now), rules)
            if facts != NULL:
                facts[own.ply - cycle.first].check = own.check
                facts[own.ply - cycle.first].attacks = own.now
        if ply > cycle.last + 1:
            break
        move = history[ply if ply <= cycle.last else cycle.previous].move
        if any_of(checkers(&at, mover)) and not rules.escapes_renew:
            find_attacks(&at, mover, rules, True, &waived)
            own.before = waived
        else:
            own.before = strict
        own.ply = ply
        reply = move
        make(&at, move, &undo)
        identity[to_square(move)] = identity[from_square(move)]
        find_attacks_now(&at, mover, rules, identity, own)
        if rules.identity_by_square and at.key == start:
            lay_identities(&at, identity)

    for mover in range(2):
        judgment.conduct[mover] = conduct_of(&account[mover], rules)
        judgment.victims[mover] = 0
        if judgment.conduct[mover] == PERPETUAL_CHASE:
            judgment.victims[mover] = (
                account[mover].shared if rules.victims_pairwise else account[mover].common
            )
    judgment.verdict = verdict_of(judgment.conduct[RED], judgment.conduct[BLACK])
