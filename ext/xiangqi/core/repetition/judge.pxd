"""The verdict on a cycle, with its evidence."""

from xiangqi.core.moves.defs cimport uint8_t, uint32_t
from xiangqi.core.moves.position cimport Position, Undo
from xiangqi.core.repetition.cycle cimport Cycle
from xiangqi.core.repetition.facts cimport AttackSet
from xiangqi.core.repetition.rules cimport Rules

cdef enum:
    MAX_IDENTITIES = 32

cdef struct PlyFacts:
    bint check           # the move gives check
    AttackSet attacks    # of the mover after the move, with their reasons

cdef struct Judgment:
    int verdict
    int conduct[2]
    uint32_t victims[2]  # identities of the chased pieces

cdef void lay_identities(const Position* pos, uint8_t* identity) noexcept nogil
cdef int verdicts_left(
    const Undo* history, const Cycle* cycle, const Rules* rules, int turn
) noexcept nogil
cdef void judge_cycle(
    const Position* pos, const Undo* history, const Cycle* cycle, const Rules* rules,
    Judgment* judgment, PlyFacts* facts
) noexcept nogil
