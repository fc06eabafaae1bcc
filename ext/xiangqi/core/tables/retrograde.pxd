"""Solving a class: value and distance of each position."""

from xiangqi.core.moves.defs cimport uint64_t
from xiangqi.core.repetition.rules cimport Rules
from xiangqi.core.tables.cells cimport Cell
from xiangqi.core.tables.graph cimport Graph
from xiangqi.core.tables.watch cimport Watch

cdef int solve(
    const Graph* graph, const Rules* rules, Cell* cells, Watch* watch, uint64_t* doubtful
) noexcept nogil
