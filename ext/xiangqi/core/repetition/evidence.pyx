"""Rulings and their facts as tuples; ``xiangqi.referee.judging`` defines their numbers."""

from cpython.mem cimport PyMem_Free, PyMem_Malloc

from xiangqi.core.moves.defs cimport BLACK, NO_PIECE, RED, SQUARES, uint8_t
from xiangqi.core.repetition.facts cimport Attack
from xiangqi.core.repetition.judge cimport MAX_IDENTITIES, Judgment, PlyFacts, judge_cycle
from xiangqi.core.repetition.rounds cimport (
    CHASE_ROW, CHECK_ROW, MIXED_ROW, Row, Tally, count_rows, is_mixed, rounds_allowed,
)


cdef object explain_window(
    const Position* pos, const Undo* history, const Cycle* cycle, const Rules* rules
):
    """The verdict on a window with its evidence: (verdict, conducts, victims, plies)."""
    cdef Judgment judgment
    cdef int length = cycle.last - cycle.first + 1
    cdef int i
    cdef PlyFacts* facts = <PlyFacts*>PyMem_Malloc(length * sizeof(PlyFacts))
    if facts == NULL:
        raise MemoryError(f"no memory for the facts of {length} plies")
    try:
        judge_cycle(pos, history, cycle, rules, &judgment, facts)
        plies = [
            (bool(facts[i].check), attacks_as_tuples(&facts[i].attacks)) for i in range(length)
        ]
    finally:
        PyMem_Free(facts)
    return (
        judgment.verdict,
        (judgment.conduct[BLACK], judgment.conduct[RED]),
        (judgment.victims[BLACK], judgment.victims[RED]),
        plies,
    )


cdef tuple attacks_as_tuples(const AttackSet* attacks):
    """Attacks as tuples (attacker, victim, reason, root), with root -1 if there is none."""
    cdef int i
    return tuple([attack_as_tuple(&attacks.attacks[i]) for i in range(attacks.count)])


cdef tuple attack_as_tuple(const Attack* attack):
    root = attack.root if attack.root < SQUARES else -1
    return attack.attacker, attack.victim, attack.reason, root


cdef object explain_rows(
    const Position* pos, const Undo* history, int plies, const Rules* rules
):
    """Black's rows, Red's rows, and the offence by which the last ply exceeds its limit."""
    cdef Tally[2] tallies
    cdef uint8_t[SQUARES] identity
    cdef int[MAX_IDENTITIES] squares
    cdef int square
    cdef int offence = count_rows(pos, history, plies, rules, tallies, identity)
    for square in range(SQUARES):
        if pos.board[square] != NO_PIECE:
            squares[identity[square]] = square
    return (
        rows_as_tuples(&tallies[BLACK], squares, rules),
        rows_as_tuples(&tallies[RED], squares, rules),
        offence,
    )


cdef list rows_as_tuples(const Tally* tally, const int* squares, const Rules* rules):
    """A side's current rows, the gravest offence first."""
    cdef int i
    rows = []
    if tally.checks.rounds:
        rows.append(row_as_tuple(CHECK_ROW, &tally.checks, -1, squares, rules))
    if is_mixed(tally, rules):
        rows.append(row_as_tuple(MIXED_ROW, &tally.mixture, -1, squares, rules))
    for i in range(MAX_IDENTITIES):
        if tally.chases[i].rounds:
            rows.append(row_as_tuple(CHASE_ROW, &tally.chases[i], squares[i], squares, rules))
    return rows


cdef tuple row_as_tuple(
    int offence, const Row* row, int victim, const int* squares, const Rules* rules
):
    """(offence, rounds, rounds allowed, first ply, victim's square or -1, pieces' squares)."""
    return (
        offence, row.rounds, rounds_allowed(offence, row, rules), row.first, victim,
        tuple([squares[i] for i in range(MAX_IDENTITIES) if row.pieces >> i & 1]),
    )
