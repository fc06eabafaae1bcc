"""The obligations of a proof, cell by cell; docs/tables.md tells why they are enough.

* A win has a move to a loss that is nearer and of no higher level. Where an offence of the other
  side, which is not counted, may have led to it, one such move is no offence itself (and parries).
* All moves of a loss lead to wins of no higher level that are nearer, or they are the offence that
  its level is about, and then the win may be one ply longer.
* A draw has no move to a loss, and one to a draw.

On level 0, where distances are those to mate, they are exact as well.
"""

from xiangqi.core.tables.cells cimport (
    DRAWN, NO_POSITION, distance_of, is_decided, is_lost, is_won, level_of,
)
from xiangqi.core.tables.graph cimport Edges, Exits
from xiangqi.core.tables.zones cimport is_answer, is_offence, kind_of_level


cdef bint is_nearer(Cell cell, int level, int distance) noexcept nogil:
    return level_of(cell) <= level and distance_of(cell) < distance


cdef bint is_win_right(
    const Graph* graph, const Rules* rules, const Cell* cells, uint32_t node, bint by_offence
) noexcept nogil:
    """Has the won node the move that it must have? ``by_offence``: as an answer to one."""
    cdef const Edges* out = &graph.out
    cdef int level = level_of(cells[node])
    cdef int distance = distance_of(cells[node])
    cdef int kind = kind_of_level(level, rules)
    cdef Cell best = graph.exits[node].best
    cdef bint found = best != DRAWN and is_nearer(best, level, distance)
    cdef bint exact = found and distance_of(best) == distance - 1
    cdef uint64_t i
    for i in range(out.first[node], out.first[node + 1]):
        if is_lost(cells[out.node[i]]) and is_nearer(cells[out.node[i]], level, distance):
            if not by_offence or is_answer(kind, out.marks[i], False):
                found = True
            if distance_of(cells[out.node[i]]) < distance - 1 and level == 0:
                return False
            exact |= distance_of(cells[out.node[i]]) == distance - 1
    return found and (exact or level > 0)


cdef bint is_loss_right(
    const Graph* graph, const Rules* rules, const Cell* cells, uint32_t node
) noexcept nogil:
    cdef const Edges* out = &graph.out
    cdef const Exits* exits = &graph.exits[node]
    cdef int level = level_of(cells[node])
    cdef int distance = distance_of(cells[node])
    cdef int kind = kind_of_level(level, rules)
    cdef int longest = -1
    cdef Cell reply
    cdef uint64_t i
    if exits.draws or exits.best != DRAWN:
        return False
    if exits.worst != DRAWN:
        if not is_nearer(exits.worst, level, distance):
            return False
        longest = distance_of(exits.worst)
    for i in range(out.first[node], out.first[node + 1]):
        reply = cells[out.node[i]]
        if not is_won(reply) or level_of(reply) > level:
            return False
        if distance_of(reply) < distance:
            longest = max(longest, distance_of(reply))
        elif not (
            level and level_of(reply) == level and distance_of(reply) == distance + 1
            and is_offence(kind, out.marks[i])
            and is_win_right(graph, rules, cells, out.node[i], True)
        ):
            return False
    return level > 0 or longest == distance - 1


cdef bint is_draw_right(const Graph* graph, const Cell* cells, uint32_t node) noexcept nogil:
    cdef const Edges* out = &graph.out
    cdef bint draws = graph.exits[node].draws
    cdef uint64_t i
    if graph.exits[node].best != DRAWN:
        return False
    for i in range(out.first[node], out.first[node + 1]):
        if is_lost(cells[out.node[i]]):
            return False
        draws |= cells[out.node[i]] == DRAWN
    return draws


cdef bint is_right(
    const Graph* graph, const Rules* rules, const Cell* cells, uint32_t node
) noexcept nogil:
    if not graph.is_position[node] or cells[node] == NO_POSITION:
        return not graph.is_position[node] and cells[node] == NO_POSITION
    if not is_decided(cells[node]):
        return is_draw_right(graph, cells, node)
    if is_won(cells[node]):
        return is_win_right(graph, rules, cells, node, False)
    return is_loss_right(graph, rules, cells, node)


cdef void audit(
    const Graph* graph, const Rules* rules, const Cell* cells, Audit* result
) noexcept nogil:
    """Look at every cell."""
    cdef uint32_t node
    result.positions = result.violations = 0
    result.first = 0
    for node in range(graph.nodes):
        result.positions += graph.is_position[node]
        if not is_right(graph, rules, cells, node):
            if result.violations == 0:
                result.first = node
            result.violations += 1
