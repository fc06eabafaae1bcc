"""Audit of a solved class: each cell must follow from the others."""

from xiangqi.core.moves.defs cimport uint32_t, uint64_t
from xiangqi.core.repetition.rules cimport Rules
from xiangqi.core.tables.cells cimport Cell
from xiangqi.core.tables.graph cimport Graph
from xiangqi.core.tables.watch cimport Watch

cdef struct Audit:
    uint64_t positions
    uint64_t violations
    uint32_t first       # node of the first violation

cdef int audit(
    const Graph* graph, const Rules* rules, const Cell* cells, Watch* watch, Audit* result
) noexcept nogil
