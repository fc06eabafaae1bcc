"""Positions as nodes, moves as edges that are generated on demand.

Solver and audit of a class know no boards: a graph gives them the moves of a node, its
predecessors, and the marks of each move. ``edges`` implements it for a class of positions.
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
    STOPPED              # by the progress callback

cdef struct Exits:       # summary of the captures of a position
    Cell best            # of those that win: the surest and then the quickest; or DRAWN
    Cell worst           # of those that lose: highest level and longest distance; or DRAWN
    bint draws           # one of them draws

cdef struct Moves:       # of a node
    uint32_t origin      # the node
    int count            # of those that capture nothing
    uint32_t node[MAX_MOVES]
    Exits exits          # the others, if requested
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
    const void* source          # data of the functions
    uint32_t nodes
    uint32_t half               # nodes from here on have Black to move
    uint32_t[2] pieces          # of each colour, without the king
    uint32_t[2] crossing        # those of them that cross the river, and so can give check
    MovesFinder find_moves      # False where the node is no position
    OriginsFinder find_origins  # number of predecessors; one for each move
    Marker marks_of             # those of the marks wanted that a move has


cdef inline int turn_of(const Graph* graph, uint32_t node) noexcept nogil:
    return node < graph.half
