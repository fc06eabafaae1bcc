"""Retrograde analysis by counting moves, in stages for positions that the repetition rules decide.

Stage 0 is the plain analysis (Thompson, "Retrograde Analysis of Certain Endgames", ICCA Journal
9/3, 1986): a position is won if it has a move to a lost one, and lost once all its moves are known
to lead to won ones; the rest is drawn. Each later stage searches the drawn positions for a *zone*
in which one side can hold out only by an offence (``zones``); these are lost, and their
predecessors are found as before. Stages alternate between perpetual checks and perpetual chases,
until neither finds anything. docs/tables.md has the proof.

A node takes four bytes, including the two of its cell. The nodes due at a distance are found by a
scan of all nodes; the predecessors of a node by taking moves back, once when it is settled.
"""

from libc.stdlib cimport calloc, free
from libc.string cimport memset

from xiangqi.core.moves.defs cimport uint8_t, uint32_t
from xiangqi.core.repetition.rules cimport are_chases_offences, are_checks_offences
from xiangqi.core.tables.cells cimport (
    DRAWN, MAX_LEVEL, NO_POSITION, distance_of, level_of,
)
from xiangqi.core.tables.graph cimport (
    DONE, MAX_ORIGINS, NO_MEMORY, STOPPED, TOO_LONG, Exits, Moves,
)
from xiangqi.core.tables.watch cimport COUNTING, SEEKING, SETTLING, is_stopped
from xiangqi.core.tables.work cimport (
    DRAWING, DUE, LATE, LEFT, SETTLED, Work, is_unknown, longest_loss, next_marked, set_due,
)
from xiangqi.core.tables.zones cimport count_doubtful, find_zone, kind_of_level, settle_zone

cdef bint reserve_work(
    Work* work, const Graph* graph, Cell* cells, Watch* watch
) noexcept nogil:
    memset(work, 0, sizeof(Work))
    work.graph = graph
    work.watch = watch
    work.cells = cells
    watch.nodes = graph.nodes
    work.open = <uint8_t*>calloc(graph.nodes, 1)
    work.zone = <uint8_t*>calloc(graph.nodes, 1)
    return work.open != NULL and work.zone != NULL


cdef void lose_one_move(Work* work, uint32_t node) noexcept nogil:
    """Count one more losing move of the node; settle the node if it was the last one."""
    if work.open[node] & LEFT == DRAWING:
        return
    work.open[node] -= 1
    if work.open[node] & LEFT == 0:
        set_due(work, node, longest_loss(work, node) + 1)


cdef void enter_capture(Work* work, uint32_t node, const Exits* exits) noexcept nogil:
    """Apply a node's captures if they belong to this stage; mark it LATE if to a later one."""
    cdef Cell decides = exits.best
    if decides == DRAWN and not exits.draws:
        decides = exits.worst
    if decides == DRAWN or level_of(decides) < work.level:
        return
    if level_of(decides) > work.level:
        work.zone[node] |= LATE
    elif decides == exits.best:
        set_due(work, node, distance_of(decides) + 1)
    else:
        lose_one_move(work, node)


cdef void begin_node(Work* work, uint32_t node) noexcept nogil:
    """Count a node's moves and apply its captures; a side without a move has lost."""
    cdef Moves* moves = &work.moves
    cdef Exits exits
    if not work.graph.find_moves(work.graph, node, True, moves):
        work.cells[node] = NO_POSITION
        work.open[node] = SETTLED
        return
    exits = moves.exits
    work.cells[node] = DRAWN
    work.open[node] = moves.count + (exits.worst != DRAWN)
    if exits.draws or exits.best != DRAWN:
        work.open[node] = DRAWING
    work.highest = max(work.highest, max(level_of(exits.best), level_of(exits.worst)))
    if work.open[node] == 0:
        set_due(work, node, 0)
    enter_capture(work, node, &exits)


cdef void begin(Work* work) noexcept nogil:
    cdef uint32_t node
    work.watch.job = COUNTING
    for node in range(work.graph.nodes):
        if is_stopped(work.watch, node):
            return
        begin_node(work, node)


cdef void enter_late_captures(Work* work) noexcept nogil:
    """Apply the captures that lead to positions of this stage's level."""
    cdef uint32_t end = work.graph.nodes
    cdef uint32_t node = next_marked(work.zone, LATE, 0, end)
    cdef Exits exits
    while node < end and not is_stopped(work.watch, node):
        work.zone[node] &= ~LATE
        if is_unknown(work, node):
            work.graph.find_moves(work.graph, node, True, &work.moves)
            exits = work.moves.exits
            enter_capture(work, node, &exits)
        node = next_marked(work.zone, LATE, node + 1, end)


cdef void update_predecessors(Work* work, uint32_t node) noexcept nogil:
    """Propagate a settled node to its predecessors."""
    cdef uint32_t[MAX_ORIGINS] origins
    cdef int count = work.graph.find_origins(work.graph, node, origins)
    cdef int distance = distance_of(work.cells[node])
    cdef int i
    for i in range(count):
        if not is_unknown(work, origins[i]):
            continue
        if distance & 1:
            lose_one_move(work, origins[i])
        else:
            set_due(work, origins[i], distance + 1)


cdef void settle_distance(Work* work, int distance) noexcept nogil:
    """Settle the nodes due at a distance; only longer distances can become due."""
    cdef uint32_t end = work.graph.nodes
    cdef uint32_t node = 0
    work.watch.distance = distance
    while work.due[distance]:
        node = next_marked(work.open, DUE, node, end)
        if distance_of(work.cells[node]) == distance:
            if is_stopped(work.watch, node):
                return
            work.due[distance] -= 1
            work.open[node] = SETTLED
            work.settled += 1
            update_predecessors(work, node)
        node += 1


cdef void settle_all(Work* work) noexcept nogil:
    """Settle all scheduled nodes, distance by distance."""
    cdef int distance = 0
    work.watch.job = SETTLING
    while distance <= work.latest and not work.watch.is_stopped:
        settle_distance(work, distance)
        distance += 1


cdef bint run_stage(Work* work, int kind) noexcept nogil:
    """Run one stage; return whether it settled any node."""
    cdef uint64_t settled = work.settled
    cdef int winner
    enter_late_captures(work)
    settle_all(work)
    for winner in range(2):
        work.watch.job = SEEKING
        if find_zone(work, kind, winner, False):
            settle_zone(work, kind, winner)
            settle_all(work)
    return work.settled > settled


cdef int run_stages(Work* work, const Rules* rules, uint64_t* doubtful) noexcept nogil:
    cdef int kinds = are_checks_offences(rules) + are_chases_offences(rules)
    cdef int idle = 0
    begin(work)
    settle_all(work)
    while (idle < kinds or work.level < work.highest) and not work.watch.is_stopped:
        work.level += 1
        work.watch.level = work.level
        if work.level > MAX_LEVEL or work.is_too_long:
            return TOO_LONG
        idle = 0 if run_stage(work, kind_of_level(work.level, rules)) else idle + 1
    if kinds and not work.watch.is_stopped:
        work.watch.job = SEEKING
        doubtful[0] = count_doubtful(work, kinds == 2)
    if work.watch.is_stopped:
        return STOPPED
    return TOO_LONG if work.is_too_long else DONE


cdef int solve(
    const Graph* graph, const Rules* rules, Cell* cells, Watch* watch, uint64_t* doubtful
) noexcept nogil:
    """Solve a graph: fill in the cell of each node.

    ``doubtful`` is set to the number of drawn nodes that may be won, as the analysis does not
    decide positions in which the winner commits offences as well.
    """
    cdef Work work
    cdef int ended = NO_MEMORY
    doubtful[0] = 0
    if reserve_work(&work, graph, cells, watch):
        ended = run_stages(&work, rules, doubtful)
    free(work.open)
    free(work.zone)
    return ended
