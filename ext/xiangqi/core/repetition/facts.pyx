"""Attacks and their reasons, after the chapter on chases of the WXF rules.

The reasons are tested in their order; the first that holds is given.

The docstring of a function names the clauses that it implements: name, articles, meaning, and the
diagrams that the clause decides, which would be ruled otherwise without it. X and V are
illustrations and variations without a number (``wxf_cases/README.md``); ``docs/rules.md`` explains
each clause.
"""

from xiangqi.core.moves.attacks cimport BANK, BETWEEN, attacks_of
from xiangqi.core.moves.bitboard cimport Bitboard, any_of, bit, common, has, pop_lsb, union, without
from xiangqi.core.moves.defs cimport (
    ADVISOR, BISHOP, CANNON, KING, KNIGHT, PAWN, ROOK, from_square, kind_of, encode_move, to_square,
)
from xiangqi.core.moves.position cimport all_pieces, attackers_to, is_safe_after, king_attackers
from xiangqi.core.repetition.rules cimport (
    ANSWERED_ANY, ANSWERED_VICTIM, LEGALITY_PSEUDO, LINE_EXEMPTION_EXEMPT, MINOR_ATTACKERS_PROFIT,
    NEW_THREAT_VICTIM,
)
from xiangqi.core.system.bits cimport ensure


cdef bint may_capture(
    const Position* pos, int side, int origin, int target, const Rules* rules
) noexcept nogil:
    """Does this pseudo-legal capture leave the capturing side's own king safe?

    PINNED (article 27): a pinned piece attacks only along the line of its pin. Decides D63.
    """
    return rules.legality == LEGALITY_PSEUDO or is_safe_after(
        pos, side, encode_move(origin, target)
    )


cdef bint is_exchange(
    const Position* pos, int side, int attacker, int victim, const Rules* rules
) noexcept nogil:
    """Are attacker and victim of the same kind, and can the victim capture the attacker?

    EXCHANGE (articles 24, 38-40): pieces of one kind that can capture each other are offered for
    exchange. Decides D51, D52, D101, D103, V13, V14.

    UNABLE_TO_TAKE (articles 24, 27): it is a chase nevertheless if the victim cannot capture the
    attacker, being pinned or a horse whose leg is blocked. Decides D40, D53, D55, D64, D65.
    """
    cdef int piece = pos.board[victim]
    if kind_of(piece) != kind_of(pos.board[attacker]):
        return False
    return has(attacks_of(piece, victim, all_pieces(pos)), attacker) and may_capture(
        pos, side ^ 1, victim, attacker, rules
    )


cdef bint protection_matters(int attacker_kind, int victim_kind, const Rules* rules) noexcept nogil:
    """Would a protector of the victim make the capture unprofitable?

    CHARIOT_FOR_LESS (articles 15-16, 20-21): a horse or a cannon gains by taking a chariot,
    protected or not. Decides D1, D18, D19, D21, D23, D25, D42, D45, X1, V3, V14.
    """
    if victim_kind == ROOK and (attacker_kind == KNIGHT or attacker_kind == CANNON):
        return False
    if rules.minor_attackers == MINOR_ATTACKERS_PROFIT and (
        attacker_kind == ADVISOR or attacker_kind == BISHOP
    ):
        return victim_kind != ROOK and victim_kind != KNIGHT and victim_kind != CANNON
    return True


cdef bint can_recapture(
    const Position* pos, int side, int root, int attacker, int victim, const Rules* rules
) noexcept nogil:
    """May ``root`` recapture after ``attacker`` has captured ``victim``, its own king being safe?

    FALSE_ROOT (article 34): a pinned protector protects nothing. Decides D83, D84, D85, X2, X3, X4,
    X5.
    """
    cdef int king = victim if kind_of(pos.board[root]) == KING else pos.king[side ^ 1]
    cdef Bitboard gone = union(bit(attacker), bit(root))
    return rules.legality == LEGALITY_PSEUDO or not any_of(king_attackers(
        pos, king, side ^ 1, without(all_pieces(pos), gone), without(pos.by_color[side], gone)
    ))


cdef int find_protection(
    const Position* pos, int side, int attacker, int victim, const Rules* rules, uint8_t* root
) noexcept nogil:
    """PROTECTED or PROTECTED_THROUGH if the victim has a real root, else PROFIT.

    ``root`` is set to a real root if there is one, else to a false root (a pinned protector) if
    there is one.

    PROTECTED (articles 17-18, 24, 27, 35): an attack on a protected piece is idle. Decides D29,
    D30, D31, D54, D66, D86, D87, D88, D89, D100, D105, X1.

    AFTER_CAPTURE (diagrams 107-110): the recapture is tested on the board after the capture. A
    cannon with the attacker as its screen protects nothing, a chariot behind the attacker does.
    Decides X1.
    """
    cdef Bitboard occupied = without(all_pieces(pos), bit(attacker))
    cdef Bitboard roots = attackers_to(pos, victim, side ^ 1, occupied)
    cdef int verdict = PROFIT
    cdef int square
    while any_of(roots):
        square = pop_lsb(&roots)
        if not can_recapture(pos, side, square, attacker, victim, rules):
            if verdict == PROFIT:
                root[0] = square
            continue
        root[0] = square
        if not is_through(pos, square, attacker, victim):
            return PROTECTED
        verdict = PROTECTED_THROUGH
    return verdict


cdef bint is_through(const Position* pos, int root, int attacker, int victim) noexcept nogil:
    """Does a chariot or cannon protect along a line that the attacker blocks?

    PROTECTED_THROUGH (articles 19, 26): a protector whose line the attacker blocks depends on the
    attacker itself; see LINE_EXEMPT. Decides D39, D40, D41, D61, X1.
    """
    cdef int kind = kind_of(pos.board[root])
    return (kind == ROOK or kind == CANNON) and has(BETWEEN[root][victim], attacker)


cdef bint is_uncrossed_pawn(const Position* pos, int side, int victim) noexcept nogil:
    """Does ``side`` attack a soldier on its own bank?

    UNCROSSED_PAWN (articles 25-26): a soldier that has not crossed the river may be attacked for
    ever. Decides D60.
    """
    return kind_of(pos.board[victim]) == PAWN and has(BANK[side ^ 1], victim)


cdef bint is_king_or_pawn(int attacker_kind) noexcept nogil:
    """Is the attacker a king or a soldier?

    KING_OR_PAWN (articles 28-29): attacks by a general or a soldier are no chases. Decides D67,
    D68, D69, D70.
    """
    return attacker_kind == KING or attacker_kind == PAWN


cdef int find_reason(
    const Position* pos, int side, int attacker, int victim,
    const Rules* rules, bint waive_check, uint8_t* root
) noexcept nogil:
    """PROFIT if capturing the victim is profitable, else the reason why not; set ``root``."""
    cdef int attacker_kind = kind_of(pos.board[attacker])
    root[0] = NO_SQUARE
    if is_uncrossed_pawn(pos, side, victim):
        return UNCROSSED_PAWN
    if is_king_or_pawn(attacker_kind):
        return KING_OR_PAWN
    if not waive_check and not may_capture(pos, side, attacker, victim, rules):
        return PINNED
    if is_exchange(pos, side, attacker, victim, rules):
        return EXCHANGE
    if protection_matters(attacker_kind, kind_of(pos.board[victim]), rules):
        return find_protection(pos, side, attacker, victim, rules, root)
    return PROFIT


cdef void find_attacks(
    const Position* pos, int side, const Rules* rules, bint waive_check, AttackSet* found
) noexcept nogil:
    """List all attacks of ``side``, as if it were to move, with their reasons.

    ``waive_check`` ignores the safety of its own king, to find the attacks that a check suspends.
    """
    cdef Bitboard occupied = all_pieces(pos)
    cdef Bitboard prey = without(pos.by_color[side ^ 1], bit(pos.king[side ^ 1]))
    cdef Bitboard attackers = pos.by_color[side]
    cdef Bitboard victims
    cdef int attacker
    cdef Attack* attack
    found.count = 0
    while any_of(attackers):
        attacker = pop_lsb(&attackers)
        victims = common(attacks_of(pos.board[attacker], attacker, occupied), prey)
        while any_of(victims):
            ensure(found.count < MAX_ATTACKS)
            attack = &found.attacks[found.count]
            attack.attacker = attacker
            attack.victim = pop_lsb(&victims)
            attack.reason = find_reason(
                pos, side, attacker, attack.victim, rules, waive_check, &attack.root
            )
            attack.identity = 0
            found.count += 1


cdef int reason_of(const AttackSet* attacks, int attacker, int victim) noexcept nogil:
    """The reason of an attack; REASONS if there is no such attack."""
    cdef int i
    for i in range(attacks.count):
        if attacks.attacks[i].attacker == attacker and attacks.attacks[i].victim == victim:
            return attacks.attacks[i].reason
    return REASONS


cdef bint is_threatened(const AttackSet* attacks, int victim) noexcept nogil:
    """Can any of the attackers capture this piece at a profit?"""
    cdef int i
    for i in range(attacks.count):
        if attacks.attacks[i].victim == victim and attacks.attacks[i].reason == PROFIT:
            return True
    return False


cdef void settle_attacks(
    AttackSet* now, const AttackSet* before, const AttackSet* after,
    Move move, Move reply, const Rules* rules
) noexcept nogil:
    """Mark as chases the profitable attacks in ``now`` that ``move`` made and ``reply`` parried.

    ``before``, ``now`` and ``after`` are the same side's attacks before the move, after it and
    after the reply. Pieces are followed by their squares: the moved attacker came from the move's
    origin, a victim that fled is on the reply's target.

    STOOD_BEFORE (diagrams 105-106): a threat that existed before the move was not made by it. Shown
    by D10, D16, D49, D106.

    LINE_EXEMPT (articles 19, 26): an attacker that did not move does not chase when a protector
    leaves whose line ran through that attacker. Decides D39, D40, D41, D61, X1.

    UNANSWERED (articles 19, 22-23, 36-37): a threat that the reply does not parry is no chase.
    Shown by D40, D41, D50, D95, D96, V3, V5.

    STANDING (articles 10-14, 16, 24, 35-38): a threat that existed before the move and one that
    remains after the reply are both permanent threats, so STOOD_BEFORE and UNANSWERED decide
    together. Decides D2, D10, D16, D26, D44, D49, D52, D65, D66, D86, D87, D88, D92, D93, D94, D95,
    D96, D98, D103, D106, X5.

    CHASE (articles 15-37): the move made the threat, by any piece, and the reply parried it.
    Shown by D20, D32, D39, D42, D49, D53, D56, D64, D70, D71, D81, D83, D95, D105.
    """
    cdef int i, earlier, later, victim_after
    cdef bint moved, existed, remains
    cdef Attack* attack
    for i in range(now.count):
        attack = &now.attacks[i]
        if attack.reason != PROFIT:
            continue
        moved = attack.attacker == to_square(move)
        victim_after = (
            to_square(reply) if attack.victim == from_square(reply) else attack.victim
        )
        earlier = reason_of(
            before, from_square(move) if moved else attack.attacker, attack.victim
        )
        later = reason_of(after, attack.attacker, victim_after)
        existed = (
            is_threatened(before, attack.victim) if rules.new_threat == NEW_THREAT_VICTIM
            else earlier == PROFIT
        )
        remains = (
            is_threatened(after, victim_after) if rules.answered == ANSWERED_VICTIM
            else later == PROFIT and rules.answered != ANSWERED_ANY
        )
        if existed:
            attack.reason = STOOD_BEFORE
        elif not moved and earlier == PROTECTED_THROUGH and (
            rules.line_exemption == LINE_EXEMPTION_EXEMPT
        ):
            attack.reason = LINE_EXEMPT
        elif remains:
            attack.reason = UNANSWERED
        else:
            attack.reason = CHASE
