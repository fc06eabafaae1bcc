"""Solving a class: who wins each of its positions, and in how many plies."""

from xiangqi.core.moves.defs cimport uint8_t, uint16_t, uint32_t, uint64_t
from xiangqi.core.repetition.rules cimport Rules
from xiangqi.core.tables.cells cimport Cell
from xiangqi.core.tables.graph cimport Graph

cdef enum:
    NOT_DUE = 0xFFFF

cdef struct Work:
    const Graph* graph
    Cell* cells          # what is known so far
    uint16_t* due        # the distance at which a node is to be settled
    uint16_t* open       # moves of a node that are not known to lose, captures as one
    uint16_t* worst      # the longest distance among those that are
    uint8_t* alive       # for zones: may still belong to it
    uint16_t* support    # for zones: replies that stay in it
    uint32_t* queue
    int latest           # no node is due later
    uint64_t settled     # nodes, so far
    bint is_too_long

cdef int solve(Graph* graph, const Rules* rules, Cell* cells, uint64_t* doubtful) noexcept nogil
cdef void schedule(Work* work, uint32_t node, int distance) noexcept nogil
