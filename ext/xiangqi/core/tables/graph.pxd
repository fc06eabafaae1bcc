"""The moves of a class as a graph: what of each leads where, and what it does besides."""

from xiangqi.core.moves.defs cimport Move, uint8_t, uint32_t, uint64_t
from xiangqi.core.moves.position cimport Position
from xiangqi.core.repetition.facts cimport AttackSet
from xiangqi.core.repetition.rules cimport Rules
from xiangqi.core.tables.cells cimport Cell
from xiangqi.core.tables.material cimport Material
from xiangqi.core.tables.shelf cimport Shelf

cdef enum:  # Marks of a move that stays in the class
    CHECKS = 1           # the enemy king is attacked
    CHASES = 2           # it makes a threat, which is a chase if the reply answers it
    ANSWERS = 4          # no threat of the enemy is left standing
    PARRIES = 8          # not all of them are left standing

cdef enum:  # How making or solving ended
    DONE
    NO_MEMORY
    NO_TABLE             # of a class that a capture leads to
    TOO_LONG             # a distance or a level that no cell can hold

cdef struct Edges:
    uint64_t* first      # [node]: where its edges begin; one more at the end
    uint32_t* node       # the other end
    uint8_t* marks

cdef struct Exits:       # what the captures of a position come to, all of them
    Cell best            # of those that win: the surest and then the quickest; or DRAWN
    Cell worst           # of those that lose: highest level and longest distance; or DRAWN
    bint draws           # one of them draws

cdef struct Graph:
    uint32_t nodes
    uint32_t half        # nodes from here on have Black to move
    uint32_t black_men   # besides the king
    uint32_t red_men
    uint8_t* is_position
    Exits* exits
    Edges out
    Edges back

cdef struct Facts:       # of a position: who attacks whom
    AttackSet own        # of the side to move, those barred by a check included
    AttackSet enemy      # of the other, to be answered

cdef void find_facts(const Position* pos, const Rules* rules, Facts* facts) noexcept nogil
cdef int marks_of(
    const Position* pos, Move move, const Rules* rules, const Facts* before
) noexcept nogil

cdef int make_graph(
    Graph* graph, const Material* material, const Rules* rules, const Shelf* shelf
) noexcept nogil
cdef bint reserve_graph(Graph* graph, uint32_t nodes, uint64_t edges) noexcept nogil
cdef bint make_back_edges(Graph* graph) noexcept nogil
cdef void free_graph(Graph* graph) noexcept nogil


cdef inline int turn_of(const Graph* graph, uint32_t node) noexcept nogil:
    return node < graph.half
