"""Count each side's consecutive offences, and find the move that exceeds the limit.

Some rule sets (Tiantian's) neither wait for a repeated position nor rule a loss: a side may check,
chase one piece, or check and chase by turns for a number of rounds, and the next such move is
barred. The rows of both sides, and of each chased piece, are counted independently. A capture
resets them all.
"""

from libc.string cimport memset

from xiangqi.core.moves.bitboard cimport Bitboard, any_of, pop_lsb
from xiangqi.core.moves.defs cimport (
    NO_MOVE, NO_PIECE, RED, SQUARES, from_square, to_square,
)
from xiangqi.core.moves.movegen cimport has_legal_move
from xiangqi.core.moves.position cimport checkers, make, unmake
from xiangqi.core.repetition.facts cimport CHASE, AttackSet, find_attacks, settle_attacks
from xiangqi.core.repetition.judge cimport Judgment, judge_cycle, lay_identities
from xiangqi.core.repetition.rules cimport (
    BOTH_FULL_GRAVER, CHECK_ESCAPE_STANDING, CHECK_REPLY_COUNTS, CHECK_REPLY_PASSES,
    DOUBLE_CHECK_ONE, MATING_MOVE_COUNTS, MAX_NUMBERS, MIXING_ANY, counts_rounds,
)
from xiangqi.core.repetition.verdict cimport BLACK_WINS, DRAW, RED_WINS
from xiangqi.core.system.bits cimport count_bits, lowest_bit

cdef enum:
    MAX_CYCLE_PLIES = 64   # of cycles ruled on in the search; longer ones are draws
    MAX_PLIES = 256     # plies for which a cycle is repeated to find the side barred first

cdef struct Strike:      # checks and chases of one ply; pieces by their identities
    bint is_reply        # to a check
    uint32_t checkers
    uint32_t victims     # chased pieces
    uint32_t chasers[MAX_IDENTITIES]  # [victim]; valid for `victims` only


cdef void find_strike(
    Position* at, Move move, const Rules* rules, uint8_t* identity, Strike* strike
) noexcept nogil:
    """Make a move, and find its checks and chases. A threat counts when it is made, whatever the
    reply."""
    cdef AttackSet before, now
    cdef Undo undo
    cdef Bitboard left
    cdef bint waive
    cdef int mover = at.turn
    cdef int i, victim
    strike.is_reply = any_of(checkers(at, mover))
    strike.checkers = strike.victims = 0
    waive = strike.is_reply and rules.check_escape == CHECK_ESCAPE_STANDING
    find_attacks(at, mover, rules, waive, &before)
    make(at, move, &undo)
    identity[to_square(move)] = identity[from_square(move)]
    left = checkers(at, at.turn)
    while any_of(left):
        strike.checkers |= <uint32_t>1 << identity[pop_lsb(&left)]
    if strike.checkers:
        return
    find_attacks(at, mover, rules, False, &now)
    settle_attacks(&now, &before, &before, move, NO_MOVE, rules)
    for i in range(now.count):
        if now.attacks[i].reason == CHASE:
            victim = identity[now.attacks[i].victim]
            if not strike.victims >> victim & 1:
                strike.victims |= <uint32_t>1 << victim
                strike.chasers[victim] = 0
            strike.chasers[victim] |= <uint32_t>1 << identity[now.attacks[i].attacker]


cdef inline void add(Row* row, int ply, uint32_t pieces) noexcept nogil:
    if row.rounds == 0:
        row.first = ply
        row.pieces = 0
        row.always = pieces
    row.rounds += 1
    row.pieces |= pieces
    row.always &= pieces


cdef bint enter_strike(
    Tally* tally, const Strike* strike, int ply, const Rules* rules
) noexcept nogil:
    """Add one ply to the rows; False for a reply to check that neither counts nor breaks a row."""
    cdef uint32_t pieces = strike.checkers
    cdef uint32_t left = strike.victims
    cdef int victim
    if strike.checkers:
        add(&tally.checks, ply, strike.checkers)
    else:
        tally.checks.rounds = 0
        if strike.is_reply and rules.check_reply != CHECK_REPLY_COUNTS and (
            strike.victims or rules.check_reply == CHECK_REPLY_PASSES
        ):
            return False
    for victim in range(MAX_IDENTITIES):
        if not strike.victims >> victim & 1:
            tally.chases[victim].rounds = 0
    while left:
        victim = lowest_bit(left)
        left &= left - 1
        add(&tally.chases[victim], ply, strike.chasers[victim])
        pieces |= strike.chasers[victim]
    if pieces:
        if tally.mixture.rounds == 0:
            tally.checks_mixed = 0
        add(&tally.mixture, ply, pieces)
        tally.checks_mixed += strike.checkers != 0
    else:
        tally.mixture.rounds = 0
    return True


cdef bint is_mixed(const Tally* tally, const Rules* rules) noexcept nogil:
    """Has the row both checks and chases, and is that an offence?"""
    return rules.mixing == MIXING_ANY and 0 < tally.checks_mixed < tally.mixture.rounds


cdef int rounds_allowed(int offence, const Row* row, const Rules* rules) noexcept nogil:
    """Rounds of an offence allowed for the pieces that took part.

    Unless the rules count each piece of a double check, a piece that gave every check counts as the
    only one.
    """
    cdef int pieces = count_bits(row.pieces, 0)
    if offence == CHECK_ROW and row.always and rules.double_check == DOUBLE_CHECK_ONE:
        pieces = 1
    pieces = min(pieces, MAX_NUMBERS)
    if offence == CHECK_ROW:
        return rules.check_rounds[pieces - 1]
    if offence == MIXED_ROW:
        return rules.mixed_rounds[pieces - 1]
    return rules.chase_rounds[pieces - 1]


cdef int gravest(const Tally* tally, int beyond, const Rules* rules) noexcept nogil:
    """The gravest offence with at least ``beyond`` rounds more than allowed, or NO_OFFENCE."""
    cdef int victim
    cdef const Row* row = &tally.checks
    if row.rounds and row.rounds >= rounds_allowed(CHECK_ROW, row, rules) + beyond:
        return CHECK_ROW
    row = &tally.mixture
    if is_mixed(tally, rules) and row.rounds >= rounds_allowed(MIXED_ROW, row, rules) + beyond:
        return MIXED_ROW
    for victim in range(MAX_IDENTITIES):
        row = &tally.chases[victim]
        if row.rounds and row.rounds >= rounds_allowed(CHASE_ROW, row, rules) + beyond:
            return CHASE_ROW
    return NO_OFFENCE


cdef int find_overrun(const Tally* own, const Tally* other, const Rules* rules) noexcept nogil:
    """The offence by which the last added ply exceeds its limit, or NO_OFFENCE.

    Under some rule sets only the graver offence is barred if both sides have reached their limits,
    and neither side if both have used up their rounds of checks.
    """
    cdef int offence = gravest(own, 1, rules)
    cdef bint excused
    if offence == CHECK_ROW:
        excused = other.checks.rounds >= rounds_allowed(CHECK_ROW, &own.checks, rules)
    else:
        excused = gravest(other, 0, rules) > offence
    return NO_OFFENCE if excused and rules.both_full == BOTH_FULL_GRAVER else offence


cdef inline bint is_counted(const Position* pos, int offence, const Rules* rules) noexcept nogil:
    """Does the last move's offence count? By most rule sets it does not if the move mates."""
    return offence == NO_OFFENCE or rules.mating_move == MATING_MOVE_COUNTS or has_legal_move(pos)


cdef int count_rows(
    const Position* pos, const Undo* history, int plies, const Rules* rules,
    Tally* tallies, uint8_t* identity
) noexcept nogil:
    """Count both sides' rows since the last capture; return the offence by which the last ply
    exceeds its limit, or NO_OFFENCE. ``identity`` is set for the present position."""
    cdef Position at = pos[0]
    cdef Strike strike
    cdef int first = plies
    cdef int offence = NO_OFFENCE
    cdef int ply, mover
    while first > 0 and history[first - 1].captured == NO_PIECE:
        first -= 1
        unmake(&at, &history[first])
    lay_identities(&at, identity)
    memset(tallies, 0, 2 * sizeof(Tally))
    for ply in range(first, plies):
        mover = at.turn
        find_strike(&at, history[ply].move, rules, identity, &strike)
        offence = NO_OFFENCE
        if enter_strike(&tallies[mover], &strike, ply, rules):
            offence = find_overrun(&tallies[mover], &tallies[mover ^ 1], rules)
    return offence if is_counted(pos, offence, rules) else NO_OFFENCE


cdef int overrun_by(
    const Position* pos, Move move, const Tally* tallies, const uint8_t* identity,
    const Rules* rules
) noexcept nogil:
    """The offence by which a legal move would exceed its limit, given both sides' rows."""
    cdef Position at
    cdef Strike strike
    cdef Tally own
    cdef uint8_t[SQUARES] identity_after
    cdef int offence = NO_OFFENCE
    cdef int square
    if pos.board[to_square(move)] != NO_PIECE:
        return NO_OFFENCE
    if gravest(&tallies[pos.turn], 0, rules) == NO_OFFENCE:
        return NO_OFFENCE
    at = pos[0]
    own = tallies[pos.turn]
    for square in range(SQUARES):
        identity_after[square] = identity[square]
    find_strike(&at, move, rules, identity_after, &strike)
    if enter_strike(&own, &strike, 0, rules):
        offence = find_overrun(&own, &tallies[pos.turn ^ 1], rules)
    return offence if is_counted(&at, offence, rules) else NO_OFFENCE


cdef int first_barred(
    const Position* pos, const Undo* history, const Cycle* cycle, const Rules* rules
) noexcept nogil:
    """Verdict against the side barred first if both repeat a cycle for ever; DRAW if none is.

    Moves before the cycle do not count. Pieces of one kind that swap squares in it also swap
    identities in the next round.
    """
    cdef Strike[MAX_CYCLE_PLIES] strikes
    cdef Tally[2] tallies
    cdef uint8_t[SQUARES] identity
    cdef Position at = pos[0]
    cdef int length = cycle.last - cycle.previous + 1
    cdef int mover = at.turn
    cdef bint any_offence = False
    cdef int ply
    if length > MAX_CYCLE_PLIES:
        return DRAW
    for ply in range(cycle.last, cycle.previous - 1, -1):
        unmake(&at, &history[ply])
    lay_identities(&at, identity)
    for ply in range(length):
        find_strike(&at, history[cycle.previous + ply].move, rules, identity, &strikes[ply])
        any_offence |= strikes[ply].checkers != 0 or strikes[ply].victims != 0
    memset(tallies, 0, sizeof(tallies))
    for ply in range(MAX_PLIES if any_offence else 0):
        if enter_strike(&tallies[mover], &strikes[ply % length], ply, rules) and find_overrun(
            &tallies[mover], &tallies[mover ^ 1], rules
        ):
            return BLACK_WINS if mover == RED else RED_WINS
        mover ^= 1
    return DRAW


cdef int rule_on_cycle(
    const Position* pos, const Undo* history, const Cycle* cycle, const Rules* rules
) noexcept nogil:
    """Verdict on a cycle in a search: by rounds if the rule set counts them, else by conduct."""
    cdef Judgment judgment
    if counts_rounds(rules):
        return first_barred(pos, history, cycle, rules)
    judge_cycle(pos, history, cycle, rules, &judgment, NULL)
    return judgment.verdict
