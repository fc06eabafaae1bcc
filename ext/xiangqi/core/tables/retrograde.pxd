"""Solving a class: value and distance of each position."""

from xiangqi.core.moves.defs cimport uint8_t, uint32_t, uint64_t
from xiangqi.core.repetition.rules cimport Rules
from xiangqi.core.tables.cells cimport MAX_DISTANCE, Cell
from xiangqi.core.tables.graph cimport Graph, Moves
from xiangqi.core.tables.watch cimport Watch

cdef enum:  # States of a node, in ``open``
    LEFT = 0x7F          # mask: number of moves not known to lose, all captures as one; or
    DRAWING = 0x7E       # a capture draws or wins, so that the node is never lost; or
    SETTLED = 0x7F       # the value is known, or the node is no position
    DUE = 0x80           # flag: distance known, predecessors not updated yet

cdef enum:  # Flags of a node, in ``zone``
    INSIDE = 1           # may belong to the zone
    LEAVING = 2          # was removed, predecessors not updated yet
    SEEN = 4             # a node of the winner that has been tested
    LATE = 8             # unrelated to zones: one of its captures counts in a later stage

cdef struct Work:
    const Graph* graph
    Watch* watch
    Cell* cells          # results so far
    uint8_t* open
    uint8_t* zone
    uint64_t[MAX_DISTANCE + 1] due  # number of nodes due at each distance
    int level            # of the current stage
    int latest           # longest distance at which a node was due
    int highest          # highest level to which a capture leads
    uint64_t settled     # number of settled nodes
    bint is_too_long
    Moves moves          # of the current node

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
