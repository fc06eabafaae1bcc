"""Positions as nodes, moves as edges that are made anew whenever they are asked for.

What solves and audits a class knows no boards: it asks a graph for the moves of a node, for the
nodes that lead to it, and for what a move does besides. ``edges`` answers for a class of positions.
"""

from xiangqi.core.moves.defs cimport MAX_MOVES, Move, uint32_t
from xiangqi.core.moves.position cimport Position
from xiangqi.core.tables.cells cimport Cell
from xiangqi.core.tables.marks cimport Facts

cdef enum:
    MAX_ORIGINS = 2 * MAX_MOVES

cdef enum:  # How solving or auditing ended
    DONE
    NO_MEMORY
    TOO_LONG             # a distance or a level that no cell can hold
    STOPPED              # by whoever watches

cdef struct Exits:       # what the captures of a position come to, all of them
    Cell best            # of those that win: the surest and then the quickest; or DRAWN
    Cell worst           # of those that lose: highest level and longest distance; or DRAWN
    bint draws           # one of them draws

cdef struct Moves:       # of a node
    uint32_t origin      # the node
    int count            # of those that capture nothing
    uint32_t node[MAX_MOVES]
    Exits exits          # the others, if they were asked for
    Move move[MAX_MOVES]
    Position before      # these two for the marks alone
    Facts facts

cdef struct Graph

ctypedef bint (*MovesFinder)(
    const Graph* graph, uint32_t node, bint with_exits, Moves* moves
) noexcept nogil
ctypedef int (*OriginsFinder)(
    const Graph* graph, uint32_t node, uint32_t* origins
) noexcept nogil
ctypedef int (*Marker)(
    const Graph* graph, Moves* moves, int which, int wanted
) noexcept nogil

cdef struct Graph:
    const void* source          # what the functions make the edges from
    uint32_t nodes
    uint32_t half               # nodes from here on have Black to move
    uint32_t[2] men             # of each colour, besides the king
    uint32_t[2] crossing        # those of them that cross the river, and so can give check
    MovesFinder find_moves      # False where the node is no position
    OriginsFinder find_origins  # how many nodes lead to this one; a node as often as it has moves
    Marker marks_of             # those of the marks wanted that a move has


cdef inline int turn_of(const Graph* graph, uint32_t node) noexcept nogil:
    return node < graph.half
