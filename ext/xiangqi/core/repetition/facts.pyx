"""Attacks and their reasons, after the chapter on chases of the WXF rules.

The order of the tests is the order of the reasons: the first that holds is given.
"""

from xiangqi.core.moves.attacks cimport BANK, BETWEEN, attacks_of
from xiangqi.core.moves.bitboard cimport Bitboard, any_of, bit, common, has, pop_lsb, union, without
from xiangqi.core.moves.defs cimport (
    ADVISOR, BISHOP, CANNON, KING, KNIGHT, PAWN, ROOK, from_square, kind_of, make_move, to_square,
)
from xiangqi.core.moves.position cimport all_pieces, attackers_to, is_safe_after, king_attackers
from xiangqi.core.system.bits cimport ensure


cdef bint may_capture(
    const Position* pos, int side, int origin, int target, const Rules* rules
) noexcept nogil:
    """Does this pseudo-legal capture leave the capturing side's own king safe?"""
    return rules.ignore_pins or is_safe_after(pos, side, make_move(origin, target))


cdef bint is_exchange(
    const Position* pos, int side, int attacker, int victim, const Rules* rules
) noexcept nogil:
    """Do two pieces of a kind face each other, the victim able to take first?"""
    cdef int piece = pos.board[victim]
    if kind_of(piece) != kind_of(pos.board[attacker]):
        return False
    return has(attacks_of(piece, victim, all_pieces(pos)), attacker) and may_capture(
        pos, side ^ 1, victim, attacker, rules
    )


cdef bint protection_matters(int attacker_kind, int victim_kind, const Rules* rules) noexcept nogil:
    """A chariot is always worth a horse or a cannon, whatever protects it."""
    if victim_kind == ROOK and (attacker_kind == KNIGHT or attacker_kind == CANNON):
        return False
    if rules.minors_strike and (attacker_kind == ADVISOR or attacker_kind == BISHOP):
        return victim_kind != ROOK and victim_kind != KNIGHT and victim_kind != CANNON
    return True


cdef bint can_recapture(
    const Position* pos, int side, int root, int attacker, int victim, const Rules* rules
) noexcept nogil:
    """With ``attacker`` now on ``victim``'s square: may the victim's side take it with ``root``
    and keep its own king safe?"""
    cdef int king = victim if kind_of(pos.board[root]) == KING else pos.king[side ^ 1]
    cdef Bitboard gone = union(bit(attacker), bit(root))
    return rules.ignore_pins or not any_of(king_attackers(
        pos, king, side ^ 1, without(all_pieces(pos), gone), without(pos.by_color[side], gone)
    ))


cdef int find_protection(
    const Position* pos, int side, int attacker, int victim, const Rules* rules, uint8_t* root
) noexcept nogil:
    """PROTECTED or PROTECTED_THROUGH when the victim has a real root, else PROFIT.

    The capture is played first and the recapture looked for on the board that results: a
    cannon mounted on the attacker protects nothing, a chariot behind it does. ``root`` gets
    a real root if there is one, else a false root (one that its own king holds back).
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
    """Does a chariot or cannon protect along a line on which the attacker stands between?"""
    cdef int kind = kind_of(pos.board[root])
    return (kind == ROOK or kind == CANNON) and has(BETWEEN[root][victim], attacker)


cdef int find_reason(
    const Position* pos, int side, int attacker, int victim,
    const Rules* rules, bint waive_check, uint8_t* root
) noexcept nogil:
    """Is capturing this victim a profit, and if not, why not?"""
    cdef int attacker_kind = kind_of(pos.board[attacker])
    cdef int victim_kind = kind_of(pos.board[victim])
    root[0] = NO_SQUARE
    if victim_kind == PAWN and has(BANK[side ^ 1], victim):
        return UNCROSSED_PAWN
    if attacker_kind == KING or attacker_kind == PAWN:
        return KING_OR_PAWN
    if not waive_check and not may_capture(pos, side, attacker, victim, rules):
        return PINNED
    if is_exchange(pos, side, attacker, victim, rules):
        return EXCHANGE
    if protection_matters(attacker_kind, victim_kind, rules):
        return find_protection(pos, side, attacker, victim, rules, root)
    return PROFIT


cdef void find_attacks(
    const Position* pos, int side, const Rules* rules, bint waive_check, AttackSet* found
) noexcept nogil:
    """All attacks of ``side``, as if it were to move, each with its reason.

    ``waive_check`` leaves the safety of the attackers' own king out of account: for a
    position where that king is in check, and the question what it would attack otherwise.
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
    """The reason of one pair; REASONS where there is no such attack."""
    cdef int i
    for i in range(attacks.count):
        if attacks.attacks[i].attacker == attacker and attacks.attacks[i].victim == victim:
            return attacks.attacks[i].reason
    return REASONS


cdef bint is_threatened(const AttackSet* attacks, int victim) noexcept nogil:
    """Can anything capture this piece at a profit?"""
    cdef int i
    for i in range(attacks.count):
        if attacks.attacks[i].victim == victim and attacks.attacks[i].reason == PROFIT:
            return True
    return False


cdef void settle_attacks(
    AttackSet* now, const AttackSet* before, const AttackSet* after,
    Move move, Move reply, const Rules* rules
) noexcept nogil:
    """Which profitable attacks of ``now`` are chases: made by ``move``, answered by ``reply``.

    ``before``, ``now`` and ``after`` are the same side's attacks before the move, after it
    and after the reply. Pieces are told apart by where they stand: the moved attacker came
    from the move's origin, a victim that fled is where the reply put it.
    """
    cdef int i, earlier, later, victim_after
    cdef bint moved, stood, stands
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
        stood = is_threatened(before, attack.victim) if rules.new_by_victim else (
            earlier == PROFIT
        )
        stands = is_threatened(after, victim_after) if rules.answered_by_victim else (
            later == PROFIT
        )
        if stood:
            attack.reason = STOOD_BEFORE
        elif not moved and earlier == PROTECTED_THROUGH:
            attack.reason = LINE_EXEMPT
        elif stands:
            attack.reason = UNANSWERED
        else:
            attack.reason = CHASE
