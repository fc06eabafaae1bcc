"""A ruling and its facts leave the core here; what the numbers mean is told by
``xiangqi.referee.judging``."""

from cpython.mem cimport PyMem_Free, PyMem_Malloc

from xiangqi.core.moves.defs cimport BLACK, RED, SQUARES
from xiangqi.core.repetition.facts cimport Attack
from xiangqi.core.repetition.judge cimport Judgment, PlyFacts, judge_cycle


cdef object explain_window(
    const Position* pos, const Undo* history, const Cycle* cycle, const Rules* rules
):
    """The verdict on a window with all evidence: (verdict, conducts, victims, plies)."""
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
    """(attacker, victim, reason, root) each, root being -1 where there is none."""
    cdef int i
    return tuple([attack_as_tuple(&attacks.attacks[i]) for i in range(attacks.count)])


cdef tuple attack_as_tuple(const Attack* attack):
    root = attack.root if attack.root < SQUARES else -1
    return attack.attacker, attack.victim, attack.reason, root
