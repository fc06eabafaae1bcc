"""Conditions of a proof, cell by cell; docs/tables.md explains why they are enough.

* A win has a move to a loss that is nearer and of no higher level. If an uncounted offence of the
  opponent may have led to the win, one such move is no offence itself (and parries the threat).
* All moves of a loss lead to wins of no higher level that are nearer, or are the offence of the
  loss's level, and then the win may be one ply longer.
* A draw has no move to a loss, and at least one to a draw.

On level 0 the distances, which are those to mate, must be exact.
"""

from xiangqi.core.tables.cells cimport (
    DRAWN, NO_POSITION, distance_of, is_decided, is_lost, is_won, level_of,
)
from xiangqi.core.tables.graph cimport DONE, STOPPED, Moves
from xiangqi.core.tables.watch cimport AUDITING, is_stopped
from xiangqi.core.tables.zones cimport is_answer, is_offence, kind_of_level


cdef bint is_nearer(Cell cell, int level, int distance) noexcept nogil:
    return level_of(cell) <= level and distance_of(cell) < distance


cdef bint is_win_right(
    const Graph* graph, const Rules* rules, const Cell* cells, Moves* moves, bint by_offence
) noexcept nogil:
    """Has the won node a move that meets the condition? ``by_offence``: in answer to an offence."""
    cdef int level = level_of(cells[moves.origin])
    cdef int distance = distance_of(cells[moves.origin])
    cdef int kind = kind_of_level(level, rules)
    cdef Cell best = moves.exits.best
    cdef bint found = best != DRAWN and is_nearer(best, level, distance)
    cdef bint exact = found and distance_of(best) == distance - 1
    cdef Cell reply
    cdef int i
    for i in range(moves.count):
        reply = cells[moves.node[i]]
        if is_lost(reply) and is_nearer(reply, level, distance):
            found = found or not by_offence or is_answer(graph, moves, i, kind, False)
            if distance_of(reply) < distance - 1 and level == 0:
                return False
            exact |= distance_of(reply) == distance - 1
    return found and (exact or level > 0)


cdef bint has_win(
    const Graph* graph, const Rules* rules, const Cell* cells, uint32_t node
) noexcept nogil:
    """Has the won node a move that meets the condition in answer to an offence?"""
    cdef Moves moves
    graph.find_moves(graph, node, True, &moves)
    return is_win_right(graph, rules, cells, &moves, True)


cdef bint is_loss_right(
    const Graph* graph, const Rules* rules, const Cell* cells, Moves* moves
) noexcept nogil:
    cdef int level = level_of(cells[moves.origin])
    cdef int distance = distance_of(cells[moves.origin])
    cdef int kind = kind_of_level(level, rules)
    cdef int longest = -1
    cdef Cell worst = moves.exits.worst
    cdef Cell reply
    cdef int i
    if moves.exits.draws or moves.exits.best != DRAWN:
        return False
    if worst != DRAWN:
        if not is_nearer(worst, level, distance):
            return False
        longest = distance_of(worst)
    for i in range(moves.count):
        reply = cells[moves.node[i]]
        if not is_won(reply) or level_of(reply) > level:
            return False
        if distance_of(reply) < distance:
            longest = max(longest, distance_of(reply))
        elif not (
            level and level_of(reply) == level and distance_of(reply) == distance + 1
            and is_offence(graph, moves, i, kind)
            and has_win(graph, rules, cells, moves.node[i])
        ):
            return False
    return level > 0 or longest == distance - 1


cdef bint is_draw_right(const Cell* cells, const Moves* moves) noexcept nogil:
    cdef bint draws = moves.exits.draws
    cdef int i
    if moves.exits.best != DRAWN:
        return False
    for i in range(moves.count):
        if is_lost(cells[moves.node[i]]):
            return False
        draws |= cells[moves.node[i]] == DRAWN
    return draws


cdef bint is_right(
    const Graph* graph, const Rules* rules, const Cell* cells, Moves* moves
) noexcept nogil:
    cdef Cell cell = cells[moves.origin]
    if cell == NO_POSITION:
        return False
    if not is_decided(cell):
        return is_draw_right(cells, moves)
    if is_won(cell):
        return is_win_right(graph, rules, cells, moves, False)
    return is_loss_right(graph, rules, cells, moves)


cdef int audit(
    const Graph* graph, const Rules* rules, const Cell* cells, Watch* watch, Audit* result
) noexcept nogil:
    """Check every cell; return DONE or STOPPED."""
    cdef Moves moves
    cdef uint32_t node
    cdef bint right
    result.positions = result.violations = 0
    result.first = 0
    watch.nodes = graph.nodes
    watch.job = AUDITING
    for node in range(graph.nodes):
        if is_stopped(watch, node):
            return STOPPED
        right = cells[node] == NO_POSITION
        if graph.find_moves(graph, node, True, &moves):
            result.positions += 1
            right = is_right(graph, rules, cells, &moves)
        if not right:
            if result.violations == 0:
                result.first = node
            result.violations += 1
    return DONE
