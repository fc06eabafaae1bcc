"""Working memory of a solution: the state of each node, and the nodes due at each distance."""

from libc.string cimport memcpy

from xiangqi.core.moves.defs cimport uint8_t, uint32_t, uint64_t
from xiangqi.core.tables.cells cimport DRAWN, MAX_DISTANCE, Cell, distance_of, make_cell
from xiangqi.core.tables.graph cimport Graph, Moves
from xiangqi.core.tables.watch cimport Watch

cdef enum:
    AT_ONCE = 8              # bytes
    EACH_BYTE = 0x01010101

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


cdef inline bint is_unknown(const Work* work, uint32_t node) noexcept nogil:
    return work.open[node] & LEFT != SETTLED


cdef inline uint32_t next_marked(
    const uint8_t* marks, int mark, uint32_t node, uint32_t end
) noexcept nogil:
    """First node from ``node`` on whose byte has the bit ``mark``; ``end`` if there is none."""
    cdef uint64_t wanted = mark * (<uint64_t>EACH_BYTE << 32 | EACH_BYTE)
    cdef uint64_t bytes
    while node + AT_ONCE <= end:
        memcpy(&bytes, marks + node, AT_ONCE)
        if bytes & wanted:
            break
        node += AT_ONCE
    while node < end and not marks[node] & mark:
        node += 1
    return node


cdef inline void set_due(Work* work, uint32_t node, int distance) noexcept nogil:
    """Schedule a node to be settled at this distance, unless it is scheduled earlier."""
    if distance > MAX_DISTANCE:
        work.is_too_long = True
        return
    if work.open[node] & DUE:
        if distance >= distance_of(work.cells[node]):
            return
        work.due[distance_of(work.cells[node])] -= 1
    work.cells[node] = make_cell(work.level, distance)
    work.open[node] |= DUE
    work.due[distance] += 1
    work.latest = max(work.latest, distance)


cdef inline int longest_loss(Work* work, uint32_t node) noexcept nogil:
    """Longest distance of a known loss by a move of the node, captures included; 0 for none."""
    cdef Moves* moves = &work.moves
    cdef int longest = 0
    cdef int i
    work.graph.find_moves(work.graph, node, True, moves)
    if moves.exits.worst != DRAWN:
        longest = distance_of(moves.exits.worst)
    for i in range(moves.count):
        if not is_unknown(work, moves.node[i]):
            longest = max(longest, distance_of(work.cells[moves.node[i]]))
    return longest
