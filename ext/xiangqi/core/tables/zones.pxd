"""Zones of drawn positions that one side can hold only by repeating an offence."""

from xiangqi.core.moves.defs cimport uint64_t
from xiangqi.core.repetition.rules cimport Rules
from xiangqi.core.tables.graph cimport Graph, Moves
from xiangqi.core.tables.work cimport Work

cdef enum:  # The offence
    CHECK_ZONE
    CHASE_ZONE

cdef bint find_zone(Work* work, int kind, int winner, bint lenient) noexcept nogil
cdef void settle_zone(Work* work, int kind, int winner) noexcept nogil
cdef uint64_t count_doubtful(Work* work, bint chases) noexcept nogil
cdef int kind_of_level(int level, const Rules* rules) noexcept nogil
cdef bint is_offence(const Graph* graph, Moves* moves, int which, int kind) noexcept nogil
cdef bint is_answer(
    const Graph* graph, Moves* moves, int which, int kind, bint lenient
) noexcept nogil
