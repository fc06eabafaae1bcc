"""Solving a class: who wins each of its positions, and in how many plies."""

from xiangqi.core.moves.defs cimport uint8_t, uint32_t, uint64_t
from xiangqi.core.repetition.rules cimport Rules
from xiangqi.core.tables.cells cimport MAX_DISTANCE, Cell
from xiangqi.core.tables.graph cimport Graph, Moves
from xiangqi.core.tables.watch cimport Watch

cdef enum:  # Of a node, in ``open``
    LEFT = 0x7F          # how many of its moves are not known to lose, captures as one; or
    DRAWING = 0x7E       # that a capture draws or wins, so that it is never lost; or
    SETTLED = 0x7F       # that its value is known, or that it is no position
    DUE = 0x80           # flag: distance known, predecessors not visited yet

cdef enum:  # Of a node, in ``zone``
    INSIDE = 1           # may belong to the zone
    LEAVING = 2          # no longer, and what follows is to be found
    SEEN = 4             # of the winner, and it has been looked at
    LATE = 8             # no part of a zone: one of its captures counts on a later stage

cdef struct Work:
    const Graph* graph
    Watch* watch
    Cell* cells          # what is known so far
    uint8_t* open
    uint8_t* zone
    uint64_t[MAX_DISTANCE + 1] due  # how many nodes are due at each distance
    int level            # of what is settled now
    int latest           # no node is due later
    int highest          # level that a capture leads to
    uint64_t settled     # nodes, so far
    bint is_too_long
    Moves moves          # of the node in hand

cdef int solve(
    const Graph* graph, const Rules* rules, Cell* cells, Watch* watch, uint64_t* doubtful
) noexcept nogil
cdef void set_due(Work* work, uint32_t node, int distance) noexcept nogil
cdef int longest_loss(Work* work, uint32_t node) noexcept nogil
cdef uint32_t next_marked(
    const uint8_t* marks, int mark, uint32_t node, uint32_t end
) noexcept nogil


cdef inline bint is_unknown(const Work* work, uint32_t node) noexcept nogil:
    return work.open[node] & LEFT != SETTLED
