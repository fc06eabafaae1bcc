"""Positions as nodes, moves as edges that are generated on demand.

Solver and audit work on a graph, not on boards: it has functions for the moves of a node, its
predecessors, and the marks of a move. ``edges`` implements them for a class of positions.
"""

from xiangqi.core.moves.defs cimport MAX_MOVES, Move, uint32_t
from xiangqi.core.moves.position cimport Position
from xiangqi.core.tables.cells cimport Cell
from xiangqi.core.tables.marks cimport Facts

cdef enum:
    MAX_ORIGINS = 2 * MAX_MOVES

cdef enum:  # Result of solving or auditing
    DONE
    NO_MEMORY
    TOO_LONG             # a distance or a level that no cell can hold
    STOPPED              # by the progress callback

cdef struct Exits:       # summary of the captures of a position
    Cell best            # of the winning ones: lowest level, then shortest distance; or DRAWN
    Cell worst           # of the losing ones: highest level and longest distance; or DRAWN
    bint draws           # does one of them draw?

cdef struct Moves:       # of a node
    uint32_t origin      # the node
    int count            # number of quiet moves
    uint32_t node[MAX_MOVES]
    Exits exits          # captures, if requested
    Move move[MAX_MOVES]
    Position before      # `before` and `facts` are for the marks alone
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
    const void* source          # data for the functions
    uint32_t nodes
    uint32_t half               # first node with Black to move
    uint32_t[2] pieces          # number of each colour's pieces without the king
    uint32_t[2] crossing        # those that can cross the river, and so give check
    MovesFinder find_moves      # returns False if the node is no position
    OriginsFinder find_origins  # returns the number of predecessors, one for each move
    Marker marks_of             # returns the marks of a move that are among the wanted ones


cdef inline int turn_of(const Graph* graph, uint32_t node) noexcept nogil:
    return node < graph.half
