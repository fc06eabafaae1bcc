"""Retrograde analysis by counting moves, in stages for what only the rules of repetition decide.

Stage 0 is the plain one (Thompson, "Retrograde Analysis of Certain Endgames", ICCA Journal 9/3,
1986): a position is won that has a move to a lost one, and lost when the last of its moves turns
out to win for the other side; what is left is drawn. In the stages after it, a *zone* of the
drawn positions is looked for in which one side can go on only by an offence (``zones``); it is
lost, and what leads there is found as before. Stages look for perpetual checks and for perpetual
chases by turns, until none finds anything. docs/tables.md has the proof.
"""

from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset

from xiangqi.core.tables.cells cimport (
    DRAWN, MOST_DISTANCE, MOST_LEVEL, NO_POSITION, distance_of, level_of, make_cell,
)
from xiangqi.core.tables.graph cimport DONE, NO_MEMORY, TOO_LONG, Edges, Exits
from xiangqi.core.tables.zones cimport (
    count_doubtful, find_zone, kind_of_level, settle_zone,
)

cdef enum:
    DRAWING = 0x8000     # in ``open``: a capture draws or wins, so the node is never lost


cdef bint reserve_work(Work* work, const Graph* graph, Cell* cells) noexcept nogil:
    work.graph = graph
    work.cells = cells
    work.is_too_long = False
    work.latest = 0
    work.settled = 0
    work.due = <uint16_t*>malloc(graph.nodes * sizeof(uint16_t))
    work.open = <uint16_t*>calloc(graph.nodes, sizeof(uint16_t))
    work.worst = <uint16_t*>calloc(graph.nodes, sizeof(uint16_t))
    work.alive = <uint8_t*>calloc(graph.nodes, 1)
    work.support = <uint16_t*>calloc(graph.nodes, sizeof(uint16_t))
    work.queue = <uint32_t*>malloc(graph.nodes * sizeof(uint32_t))
    return not (
        work.due == NULL or work.open == NULL or work.worst == NULL or work.alive == NULL
        or work.support == NULL or work.queue == NULL
    )


cdef void free_work(Work* work) noexcept nogil:
    free(work.due)
    free(work.open)
    free(work.worst)
    free(work.alive)
    free(work.support)
    free(work.queue)


cdef void schedule(Work* work, uint32_t node, int distance) noexcept nogil:
    """Have a node settled at this distance, unless it is to be settled earlier."""
    if distance > MOST_DISTANCE:
        work.is_too_long = True
    elif distance < work.due[node]:
        work.due[node] = distance
        work.latest = max(work.latest, distance)


cdef void begin(Work* work) noexcept nogil:
    """Count each node's moves; whoever has none has lost."""
    cdef const Graph* graph = work.graph
    cdef const Edges* out = &graph.out
    cdef uint32_t node
    cdef int moves
    memset(work.due, 0xFF, graph.nodes * sizeof(uint16_t))
    for node in range(graph.nodes):
        work.cells[node] = DRAWN if graph.is_position[node] else NO_POSITION
        if not graph.is_position[node]:
            continue
        moves = <int>(out.first[node + 1] - out.first[node])
        if graph.exits[node].draws or graph.exits[node].best != DRAWN:
            moves |= DRAWING
        elif graph.exits[node].worst != DRAWN:
            moves += 1
        work.open[node] = moves
        if moves == 0:
            schedule(work, node, 0)


cdef void lose_one_move(Work* work, uint32_t node, int distance) noexcept nogil:
    """One more move of the node loses, to a win in ``distance``; it may have been the last."""
    work.open[node] -= 1
    work.worst[node] = max(work.worst[node], distance)
    if work.open[node] == 0:
        schedule(work, node, work.worst[node] + 1)


cdef void enter_captures(Work* work, int level) noexcept nogil:
    """From this stage on, captures that lead to a position of this level count."""
    cdef const Exits* exits
    cdef uint32_t node
    for node in range(work.graph.nodes):
        if work.cells[node] != DRAWN:
            continue
        exits = &work.graph.exits[node]
        if exits.best != DRAWN:
            if level_of(exits.best) == level:
                schedule(work, node, distance_of(exits.best) + 1)
        elif not exits.draws and exits.worst != DRAWN and level_of(exits.worst) == level:
            lose_one_move(work, node, distance_of(exits.worst))


cdef void tell_predecessors(Work* work, uint32_t node) noexcept nogil:
    """What follows from a node that has just been settled."""
    cdef const Edges* back = &work.graph.back
    cdef int distance = distance_of(work.cells[node])
    cdef uint64_t i
    for i in range(back.first[node], back.first[node + 1]):
        if work.cells[back.node[i]] != DRAWN:
            continue
        if distance & 1:
            lose_one_move(work, back.node[i], distance)
        else:
            schedule(work, back.node[i], distance + 1)


cdef void settle_all(Work* work, int level) noexcept nogil:
    """Settle what is due, distance by distance, until nothing more follows."""
    cdef uint32_t node
    cdef int distance = 0
    while distance <= work.latest:
        for node in range(work.graph.nodes):
            if work.due[node] != distance:
                continue
            work.due[node] = NOT_DUE
            if work.cells[node] == DRAWN:
                work.cells[node] = make_cell(level, distance)
                work.settled += 1
            tell_predecessors(work, node)
        distance += 1


cdef int highest_exit(const Work* work) noexcept nogil:
    """The highest level that a capture leads to."""
    cdef uint32_t node
    cdef int highest = 0
    for node in range(work.graph.nodes):
        if work.graph.is_position[node]:
            highest = max(highest, level_of(work.graph.exits[node].best))
            highest = max(highest, level_of(work.graph.exits[node].worst))
    return highest


cdef bint take_stage(Work* work, int level, int kind) noexcept nogil:
    """One stage: is there anything that it decides?"""
    cdef uint64_t settled = work.settled
    cdef int winner
    enter_captures(work, level)
    settle_all(work, level)
    for winner in range(2):
        if find_zone(work, kind, winner, False):
            settle_zone(work, kind, winner, level)
            settle_all(work, level)
    return work.settled > settled


cdef int solve(Graph* graph, const Rules* rules, Cell* cells, uint64_t* doubtful) noexcept nogil:
    """Fill in a cell for each node.

    ``doubtful`` gets the number of drawn nodes for which the analysis cannot exclude that they are
    won, because the winner would have to commit offences himself by turns.
    """
    cdef Work work
    cdef int level = 0
    cdef int idle = 0
    cdef int highest
    cdef int kinds = rules.count_checks + (rules.count_checks and rules.count_chases)
    doubtful[0] = 0
    if not reserve_work(&work, graph, cells):
        free_work(&work)
        return NO_MEMORY
    begin(&work)
    enter_captures(&work, 0)
    settle_all(&work, 0)
    highest = highest_exit(&work)
    while (idle < kinds or level < highest) and not work.is_too_long:
        level += 1
        if level > MOST_LEVEL:
            work.is_too_long = True
            break
        idle = 0 if take_stage(&work, level, kind_of_level(level, rules)) else idle + 1
    if kinds:
        doubtful[0] = count_doubtful(&work, kinds == 2)
    free_work(&work)
    return TOO_LONG if work.is_too_long else DONE
