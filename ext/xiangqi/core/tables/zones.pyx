"""The greatest set of drawn positions that an offender leaves only to lose.

An offender has, in a position of the zone, moves that lose at once and offences (checks, or chases)
that stay in the zone, and no other move. The winner has, in each, an answer that stays in it, is no
offence itself, and in a zone of chases parries the threat. So an offender that stays in the zone
for ever commits the offence on every move, and the winner on none: a co-Büchi condition for the one
and a Büchi condition for the other. The analysis of perpetual checks in Xiangqi is by Fang, Hsu and
Hsu ("Checking Indefinitely in Chinese-Chess Endgames", ICGA Journal 27/1, 2004); docs/tables.md
describes the rest.
"""

from xiangqi.core.moves.defs cimport MAX_MOVES, RED, uint32_t
from xiangqi.core.tables.cells cimport distance_of, make_cell
from xiangqi.core.tables.graph cimport MAX_ORIGINS, turn_of
from xiangqi.core.tables.marks cimport ANSWERS, CHASES, CHECKS, PARRIES
from xiangqi.core.tables.retrograde cimport (
    DRAWING, INSIDE, LATE, LEAVING, SEEN, SETTLED, is_unknown, longest_loss, next_marked, set_due,
)
from xiangqi.core.tables.watch cimport is_stopped


cdef int kind_of_level(int level, const Rules* rules) noexcept nogil:
    """The offence that the zones of a level are about; chases are looked for on even levels."""
    return CHASE_ZONE if rules.count_chases and level % 2 == 0 else CHECK_ZONE


cdef bint is_offence(const Graph* graph, Moves* moves, int which, int kind) noexcept nogil:
    """Does this move keep its side's offence up?"""
    return graph.marks_of(graph, moves, which, CHECKS if kind == CHECK_ZONE else CHASES) != 0


cdef bint is_answer(
    const Graph* graph, Moves* moves, int which, int kind, bint lenient
) noexcept nogil:
    """May the winner reply so? Leniently, what speaks against it is his own conduct alone."""
    cdef int idle = CHECKS | CHASES | ANSWERS
    if kind == CHECK_ZONE:
        return lenient or not graph.marks_of(graph, moves, which, CHECKS)
    if lenient:
        return graph.marks_of(graph, moves, which, PARRIES) != 0
    return graph.marks_of(graph, moves, which, idle) == ANSWERS


cdef bint may_offend(const Work* work, int kind, int winner, bint lenient) noexcept nogil:
    """Can this side be the victim of such an offence? A perpetual chase is proven only where there
    is but one piece that can be its victim."""
    cdef uint32_t victims = work.graph.pieces[winner]
    if kind == CHECK_ZONE:
        return work.graph.crossing[winner ^ 1] > 0
    return work.graph.pieces[winner ^ 1] > 0 and (victims > 0 if lenient else victims == 1)


cdef uint32_t first_of(const Work* work, int turn) noexcept nogil:
    """The first node where this side is to move."""
    return 0 if turn == RED else work.graph.half


cdef uint32_t end_of(const Work* work, int turn) noexcept nogil:
    """End of the range: one more than its last element."""
    return work.graph.half if turn == RED else work.graph.nodes


cdef bint may_stay(Work* work, uint32_t node, int kind) noexcept nogil:
    """Offender's node: does each of its moves lose, or commit the offence?"""
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
    """Winner's node: is there an answer that leads to a node that may belong to the zone?"""
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
    """Add all nodes of the offender that may stay to the zone; is there any?"""
    cdef uint32_t node
    cdef bint found = False
    for node in range(first_of(work, offender), end_of(work, offender)):
        if is_stopped(work.watch, node):
            return False
        if may_stay(work, node, kind):
            work.zone[node] |= INSIDE
            found = True
    return found


cdef void look_at_replies(Work* work, uint32_t node, int kind, bint lenient) noexcept nogil:
    """Offender's node: add the winner's nodes that it leads to and that have an answer; if one has
    none, remove the node itself."""
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


cdef void tell_leaving(
    Work* work, uint32_t node, int kind, int winner, bint lenient
) noexcept nogil:
    """Remove the nodes that lead to a node that has left the zone and cannot do without it."""
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
            tell_leaving(work, node, kind, winner, lenient)
            node = next_marked(work.zone, LEAVING, node + 1, end)
        node = next_marked(work.zone, LEAVING, 0, end)


cdef void add_ways_in(Work* work, uint32_t node, int kind, bint lenient) noexcept nogil:
    """Offender's node of the zone: add the winner's nodes with an answer that leads to it."""
    cdef uint32_t[MAX_ORIGINS] origins
    cdef int count = work.graph.find_origins(work.graph, node, origins)
    cdef int i
    for i in range(count):
        if is_unknown(work, origins[i]) and not work.zone[origins[i]] & SEEN:
            work.zone[origins[i]] |= SEEN
            if has_answer(work, origins[i], kind, lenient):
                work.zone[origins[i]] |= INSIDE


cdef bint find_zone(Work* work, int kind, int winner, bint lenient) noexcept nogil:
    """Mark the zone in ``zone`` as INSIDE; is there any?

    First come the drawn nodes of the offender that may stay, and the winner's nodes that follow;
    then nodes that do not fit are removed, until all do. Other nodes of the winner that lead there
    come last: no node of the offender depends on them.
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
        look_at_replies(work, node, kind, lenient)
        node = next_marked(work.zone, INSIDE, node + 1, end)
    shrink(work, kind, winner, lenient)
    node = next_marked(work.zone, INSIDE, first, end)
    while node < end and not is_stopped(work.watch, node):
        found = True
        add_ways_in(work, node, kind, lenient)
        node = next_marked(work.zone, INSIDE, node + 1, end)
    return found and not work.watch.is_stopped


cdef int find_ways_out(Work* work, int offender) noexcept nogil:
    """Write the distance of the longest move that gives the offence up, or 0, into the cells of the
    offender's nodes; return the longest of all."""
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


cdef void tell_settled(
    Work* work, uint32_t node, int kind, int winner, int distance
) noexcept nogil:
    """Settle the predecessors of a settled node of the zone that cannot do better: any move there
    of the offender, as all are offences, but all answers of the winner."""
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

    The offender steers for the longest way out, the winner for the shortest; the plies of the
    offence do not count. An offender without a longer way out is ruled against: distance 0.
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
                tell_settled(work, node, kind, winner, distance)
                node = next_marked(work.zone, LEAVING, node + 1, end)
            node = next_marked(work.zone, LEAVING, 0, end)
        distance -= 2


cdef uint64_t count_doubtful(Work* work, bint chases) noexcept nogil:
    """Number of nodes in zones that ignore the winner's own conduct."""
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
