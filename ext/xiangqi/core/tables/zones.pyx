"""The largest set of drawn positions that an offender can leave only by losing.

In a position of the zone, each move of the offender either loses or is an offence (a check, or a
chase) that stays in the zone. In each, the winner has an answer that stays in the zone, is no
offence itself, and in a zone of chases parries the threat. So an offender that stays in the zone
for ever commits the offence on every move, and the winner on none: a co-Büchi condition for the one
and a Büchi condition for the other. The analysis of perpetual checks in Xiangqi is by Fang, Hsu and
Hsu ("Checking Indefinitely in Chinese-Chess Endgames", ICGA Journal 27/1, 2004); docs/tables.md
describes the rest.
"""

from xiangqi.core.moves.defs cimport MAX_MOVES, RED, uint32_t
from xiangqi.core.repetition.rules cimport are_chases_offences
from xiangqi.core.tables.cells cimport distance_of, make_cell
from xiangqi.core.tables.graph cimport MAX_ORIGINS, turn_of
from xiangqi.core.tables.marks cimport ANSWERS, CHASES, CHECKS, PARRIES
from xiangqi.core.tables.work cimport (
    DRAWING, INSIDE, LATE, LEAVING, SEEN, SETTLED, is_unknown, longest_loss, next_marked, set_due,
)
from xiangqi.core.tables.watch cimport is_stopped


cdef int kind_of_level(int level, const Rules* rules) noexcept nogil:
    """Offence of the zones of a level; if chases count, even levels are for chases."""
    return CHASE_ZONE if are_chases_offences(rules) and level % 2 == 0 else CHECK_ZONE


cdef bint is_offence(const Graph* graph, Moves* moves, int which, int kind) noexcept nogil:
    """Is this move the offence?"""
    return graph.marks_of(graph, moves, which, CHECKS if kind == CHECK_ZONE else CHASES) != 0


cdef bint is_answer(
    const Graph* graph, Moves* moves, int which, int kind, bint lenient
) noexcept nogil:
    """Is this move an answer of the winner? If ``lenient``, it may be an offence itself."""
    cdef int idle = CHECKS | CHASES | ANSWERS
    if kind == CHECK_ZONE:
        return lenient or not graph.marks_of(graph, moves, which, CHECKS)
    if lenient:
        return graph.marks_of(graph, moves, which, PARRIES) != 0
    return graph.marks_of(graph, moves, which, idle) == ANSWERS


cdef bint may_offend(const Work* work, int kind, int winner, bint lenient) noexcept nogil:
    """Can the winner be the victim of this offence? A perpetual chase is proved only if the winner
    has just one piece that can be its victim."""
    cdef uint32_t victims = work.graph.pieces[winner]
    if kind == CHECK_ZONE:
        return work.graph.crossing[winner ^ 1] > 0
    return work.graph.pieces[winner ^ 1] > 0 and (victims > 0 if lenient else victims == 1)


cdef uint32_t first_of(const Work* work, int turn) noexcept nogil:
    """First node with this side to move."""
    return 0 if turn == RED else work.graph.half


cdef uint32_t end_of(const Work* work, int turn) noexcept nogil:
    """End of the nodes with this side to move: one more than the last."""
    return work.graph.half if turn == RED else work.graph.nodes


cdef bint may_stay(Work* work, uint32_t node, int kind) noexcept nogil:
    """Is each move of this offender's node a loss or the offence?"""
    cdef Moves* moves = &work.moves
    cdef int i
    cdef int unknown = 0
    if not is_unknown(work, node) or work.open[node] == DRAWING:
        return False
    work.graph.find_moves(work.graph, node, False, moves)
    for i in range(moves.count):
        if is_unknown(work, moves.node[i]):
            if not is_offence(work.graph, moves, i, kind):
                return False
            unknown += 1
    return unknown == work.open[node]  # else a capture is not known to lose


cdef bint has_answer(Work* work, uint32_t node, int kind, bint lenient) noexcept nogil:
    """Has this winner's node an answer that may stay in the zone?"""
    cdef Moves* moves = &work.moves
    cdef int i
    work.graph.find_moves(work.graph, node, False, moves)
    for i in range(moves.count):
        if work.zone[moves.node[i]] & INSIDE and is_answer(work.graph, moves, i, kind, lenient):
            return True
    return False


cdef inline void take_out(Work* work, uint32_t node) noexcept nogil:
    work.zone[node] = (work.zone[node] & ~INSIDE) | LEAVING


cdef bint find_offenders(Work* work, int kind, int offender) noexcept nogil:
    """Add the offender's nodes that may stay in the zone; is there any?"""
    cdef uint32_t node
    cdef bint found = False
    for node in range(first_of(work, offender), end_of(work, offender)):
        if is_stopped(work.watch, node):
            return False
        if may_stay(work, node, kind):
            work.zone[node] |= INSIDE
            found = True
    return found


cdef void add_replies(Work* work, uint32_t node, int kind, bint lenient) noexcept nogil:
    """Add the winner's nodes after an offender's node if they have answers; if one has none, remove
    the offender's node."""
    cdef uint32_t[MAX_MOVES] replies
    cdef int count = 0
    cdef int i
    work.graph.find_moves(work.graph, node, False, &work.moves)
    for i in range(work.moves.count):
        if is_unknown(work, work.moves.node[i]):
            replies[count] = work.moves.node[i]
            count += 1
    for i in range(count):
        if not work.zone[replies[i]] & SEEN:
            work.zone[replies[i]] |= SEEN
            if has_answer(work, replies[i], kind, lenient):
                work.zone[replies[i]] |= INSIDE
        if not work.zone[replies[i]] & INSIDE:
            take_out(work, node)
            return


cdef void remove_predecessors(
    Work* work, uint32_t node, int kind, int winner, bint lenient
) noexcept nogil:
    """Remove the predecessors that cannot stay in the zone without a node that was removed."""
    cdef uint32_t[MAX_ORIGINS] origins
    cdef int count = work.graph.find_origins(work.graph, node, origins)
    cdef int i
    for i in range(count):
        if work.zone[origins[i]] & INSIDE and (
            turn_of(work.graph, node) == winner
            or not has_answer(work, origins[i], kind, lenient)
        ):
            take_out(work, origins[i])


cdef void shrink(Work* work, int kind, int winner, bint lenient) noexcept nogil:
    """Remove nodes that do not fit, until all do."""
    cdef uint32_t end = work.graph.nodes
    cdef uint32_t node = next_marked(work.zone, LEAVING, 0, end)
    while node < end and not work.watch.is_stopped:
        while node < end and not is_stopped(work.watch, node):
            work.zone[node] &= ~LEAVING
            remove_predecessors(work, node, kind, winner, lenient)
            node = next_marked(work.zone, LEAVING, node + 1, end)
        node = next_marked(work.zone, LEAVING, 0, end)


cdef void add_ways_in(Work* work, uint32_t node, int kind, bint lenient) noexcept nogil:
    """Add the winner's nodes with an answer that leads to an offender's node of the zone."""
    cdef uint32_t[MAX_ORIGINS] origins
    cdef int count = work.graph.find_origins(work.graph, node, origins)
    cdef int i
    for i in range(count):
        if is_unknown(work, origins[i]) and not work.zone[origins[i]] & SEEN:
            work.zone[origins[i]] |= SEEN
            if has_answer(work, origins[i], kind, lenient):
                work.zone[origins[i]] |= INSIDE


cdef bint find_zone(Work* work, int kind, int winner, bint lenient) noexcept nogil:
    """Mark the nodes of the zone as INSIDE; is there any?

    Add the offender's drawn nodes that may stay, and the winner's nodes after them; then remove
    nodes that do not fit, until all do. Last, add the other nodes of the winner that lead there: no
    node of the offender depends on them.
    """
    cdef int offender = winner ^ 1
    cdef uint32_t first = first_of(work, offender)
    cdef uint32_t end = end_of(work, offender)
    cdef uint32_t node
    cdef bint found = False
    for node in range(work.graph.nodes):
        work.zone[node] &= LATE
    if not may_offend(work, kind, winner, lenient) or not find_offenders(work, kind, offender):
        return False
    node = next_marked(work.zone, INSIDE, first, end)
    while node < end and not is_stopped(work.watch, node):
        add_replies(work, node, kind, lenient)
        node = next_marked(work.zone, INSIDE, node + 1, end)
    shrink(work, kind, winner, lenient)
    node = next_marked(work.zone, INSIDE, first, end)
    while node < end and not is_stopped(work.watch, node):
        found = True
        add_ways_in(work, node, kind, lenient)
        node = next_marked(work.zone, INSIDE, node + 1, end)
    return found and not work.watch.is_stopped


cdef int find_ways_out(Work* work, int offender) noexcept nogil:
    """Set the cells of the offender's nodes to the distance of the longest loss by a move that is
    no offence, or 0; return the longest of all."""
    cdef uint32_t end = end_of(work, offender)
    cdef uint32_t node = next_marked(work.zone, INSIDE, first_of(work, offender), end)
    cdef int longest = 0
    cdef int distance
    while node < end:
        distance = longest_loss(work, node)
        if distance:
            distance += 1
        work.cells[node] = make_cell(work.level, distance)
        longest = max(longest, distance)
        node = next_marked(work.zone, INSIDE, node + 1, end)
    return longest


cdef void settle_in_zone(Work* work, uint32_t node, int distance) noexcept nogil:
    take_out(work, node)
    work.open[node] = SETTLED
    set_due(work, node, distance)


cdef void settle_predecessors(
    Work* work, uint32_t node, int kind, int winner, int distance
) noexcept nogil:
    """Settle the predecessors in the zone of a settled node: those of the offender at once, those
    of the winner once no answer is left in the zone."""
    cdef uint32_t[MAX_ORIGINS] origins
    cdef int count = work.graph.find_origins(work.graph, node, origins)
    cdef int i
    for i in range(count):
        if not work.zone[origins[i]] & INSIDE:
            continue
        if turn_of(work.graph, node) == winner:
            settle_in_zone(work, origins[i], distance)
        elif not has_answer(work, origins[i], kind, False):
            settle_in_zone(work, origins[i], distance + 1)


cdef void settle_zone(Work* work, int kind, int winner) noexcept nogil:
    """Set the distances of the zone's nodes, the longest first.

    The offender aims for the longest way out of the zone, the winner for the shortest; the plies of
    the offence do not count. An offender with no way out is ruled against: distance 0.
    """
    cdef int offender = winner ^ 1
    cdef uint32_t end = work.graph.nodes
    cdef uint32_t node
    cdef int distance = find_ways_out(work, offender)
    while distance >= 0:
        node = next_marked(work.zone, INSIDE, first_of(work, offender), end_of(work, offender))
        while node < end_of(work, offender):
            if distance_of(work.cells[node]) == distance:
                settle_in_zone(work, node, distance)
            node = next_marked(work.zone, INSIDE, node + 1, end_of(work, offender))
        node = next_marked(work.zone, LEAVING, 0, end)
        while node < end:
            while node < end:
                work.zone[node] &= ~LEAVING
                settle_predecessors(work, node, kind, winner, distance)
                node = next_marked(work.zone, LEAVING, node + 1, end)
            node = next_marked(work.zone, LEAVING, 0, end)
        distance -= 2


cdef uint64_t count_doubtful(Work* work, bint chases) noexcept nogil:
    """Number of nodes in lenient zones, in which the winner may commit offences."""
    cdef uint64_t found = 0
    cdef uint32_t end = work.graph.nodes
    cdef uint32_t node
    cdef int kind, winner
    for kind in range(CHECK_ZONE, CHASE_ZONE + 1 if chases else CHASE_ZONE):
        for winner in range(2):
            if find_zone(work, kind, winner, True):
                node = next_marked(work.zone, INSIDE, 0, end)
                while node < end:
                    found += 1
                    node = next_marked(work.zone, INSIDE, node + 1, end)
    return found
