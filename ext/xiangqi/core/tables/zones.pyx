"""The greatest set of drawn positions that an offender leaves only to lose.

An offender has, in a position of the zone, moves that lose at once and offences (checks, or
chases) that stay in the zone, and no other move. The winner has, in each, an answer that stays in
it, is no offence himself, and in a zone of chases parries the threat. So whoever goes on for ever
in the zone commits the offence on every move, and the other on none; it is a co-Büchi condition
for the one and a Büchi condition for the other. The analysis of perpetual checks in Xiangqi is
that of Fang, Hsu and Hsu ("Checking Indefinitely in Chinese-Chess Endgames", ICGA Journal 27/1,
2004); docs/tables.md tells of the rest.
"""

from xiangqi.core.moves.defs cimport RED, uint16_t, uint32_t
from xiangqi.core.tables.cells cimport DRAWN, distance_of, make_cell
from xiangqi.core.tables.graph cimport (
    ANSWERS, CHASES, CHECKS, PARRIES, Edges, Graph, turn_of,
)
from xiangqi.core.tables.retrograde cimport schedule

cdef enum:  # Of a node, in ``alive``
    OUTSIDE
    INSIDE
    SETTLED


cdef int kind_of_level(int level, const Rules* rules) noexcept nogil:
    """The offence that the zones of a level are about; chases are looked for on even levels."""
    return CHASE_ZONE if rules.count_chases and level % 2 == 0 else CHECK_ZONE


cdef bint is_offence(int kind, int marks) noexcept nogil:
    """Does a move with these marks keep its side's offence up?"""
    return (marks & (CHECKS if kind == CHECK_ZONE else CHASES)) != 0


cdef bint is_answer(int kind, int marks, bint lenient) noexcept nogil:
    """May the winner reply so? Leniently, what speaks against it is his own conduct alone."""
    if kind == CHECK_ZONE:
        return lenient or not marks & CHECKS
    if lenient:
        return (marks & PARRIES) != 0
    return (marks & (CHECKS | CHASES | ANSWERS)) == ANSWERS


cdef bint may_offend(const Work* work, int kind, int winner, bint lenient) noexcept nogil:
    """Can there be such an offence against this side? A perpetual chase is proven only where
    there is but one piece that can be its victim."""
    cdef uint32_t victims = work.graph.red_men if winner == RED else work.graph.black_men
    cdef uint32_t hunters = work.graph.black_men if winner == RED else work.graph.red_men
    if kind == CHECK_ZONE:
        return hunters > 0
    return hunters > 0 and (victims > 0 if lenient else victims == 1)


cdef bint may_stay(const Work* work, uint32_t node, int kind) noexcept nogil:
    """An offender's node: does each of its moves lose, or commit the offence?"""
    cdef const Edges* out = &work.graph.out
    cdef uint64_t i
    cdef uint16_t unknown = 0
    for i in range(out.first[node], out.first[node + 1]):
        if work.cells[out.node[i]] != DRAWN:
            continue
        if not is_offence(kind, out.marks[i]):
            return False
        unknown += 1
    return unknown == work.open[node]  # else a capture draws, or is not known to lose


cdef uint16_t count_answers(
    const Work* work, uint32_t node, int kind, bint lenient
) noexcept nogil:
    """A winner's node: how many answers lead to what may belong to the zone?"""
    cdef const Edges* out = &work.graph.out
    cdef uint64_t i
    cdef uint16_t answers = 0
    for i in range(out.first[node], out.first[node + 1]):
        answers += (
            work.alive[out.node[i]] == INSIDE and is_answer(kind, out.marks[i], lenient)
        )
    return answers


cdef inline void take_out(Work* work, uint32_t node, uint32_t* tail) noexcept nogil:
    work.alive[node] = OUTSIDE
    work.queue[tail[0]] = node
    tail[0] += 1


cdef bint find_zone(Work* work, int kind, int winner, bint lenient) noexcept nogil:
    """Mark the zone in ``alive``; is there any?

    All drawn positions are taken for it, and those taken out that do not fit, until all do.
    """
    cdef const Graph* graph = work.graph
    cdef const Edges* back = &graph.back
    cdef uint32_t node, other
    cdef uint32_t tail = 0
    cdef uint64_t i
    cdef uint64_t inside = 0
    if not may_offend(work, kind, winner, lenient):
        return False
    for node in range(graph.nodes):
        work.alive[node] = INSIDE if work.cells[node] == DRAWN and (
            turn_of(graph, node) == winner or may_stay(work, node, kind)
        ) else OUTSIDE
        inside += work.alive[node] == INSIDE
    for node in range(graph.nodes):
        if work.alive[node] == INSIDE and turn_of(graph, node) == winner:
            work.support[node] = count_answers(work, node, kind, lenient)
    for node in range(graph.nodes):
        if work.alive[node] == INSIDE and turn_of(graph, node) == winner and not work.support[node]:
            take_out(work, node, &tail)
    while tail > 0:
        tail -= 1
        node = work.queue[tail]
        inside -= 1
        for i in range(back.first[node], back.first[node + 1]):
            other = back.node[i]
            if work.alive[other] != INSIDE:
                continue
            if turn_of(graph, other) == winner:
                if not is_answer(kind, back.marks[i], lenient):
                    continue
                work.support[other] -= 1
                if work.support[other]:
                    continue
            take_out(work, other, &tail)
    return inside > 0


cdef int ways_out(const Work* work, uint32_t node) noexcept nogil:
    """An offender's node: the distance of the longest of its moves that give the offence up."""
    return work.worst[node] + 1 if work.worst[node] else 0


cdef void settle_zone(Work* work, int kind, int winner, int level) noexcept nogil:
    """Give the nodes of the zone in ``alive`` their distances, the longest first.

    The offender steers for the longest way out, the winner for the shortest; the plies of the
    offence do not count. Whoever has no way out that is longer is ruled against: distance 0.
    """
    cdef const Graph* graph = work.graph
    cdef const Edges* back = &graph.back
    cdef uint32_t node, other
    cdef uint32_t tail
    cdef uint64_t i
    cdef int distance = 0
    for node in range(graph.nodes):
        if work.alive[node] != INSIDE:
            continue
        if turn_of(graph, node) == winner:
            work.support[node] = count_answers(work, node, kind, False)
        else:
            distance = max(distance, ways_out(work, node))
    while distance >= 0:
        tail = 0
        for node in range(graph.nodes):
            if (
                work.alive[node] == INSIDE and turn_of(graph, node) != winner
                and ways_out(work, node) == distance
            ):
                work.alive[node] = SETTLED
                work.queue[tail] = node
                tail += 1
        while tail > 0:
            tail -= 1
            node = work.queue[tail]
            work.cells[node] = make_cell(
                level, distance + (turn_of(graph, node) == winner)
            )
            schedule(work, node, distance_of(work.cells[node]))
            for i in range(back.first[node], back.first[node + 1]):
                other = back.node[i]
                if work.alive[other] != INSIDE:
                    continue
                if turn_of(graph, other) == winner:
                    if not is_answer(kind, back.marks[i], False):
                        continue
                    work.support[other] -= 1
                    if work.support[other]:
                        continue
                elif not is_offence(kind, back.marks[i]):
                    continue
                work.alive[other] = SETTLED
                work.queue[tail] = other
                tail += 1
        distance -= 2


cdef uint64_t count_doubtful(Work* work, bint chases) noexcept nogil:
    """The nodes of zones in which the winner's own conduct is left out of account."""
    cdef uint64_t found = 0
    cdef uint32_t node
    cdef int kind, winner
    for kind in range(CHECK_ZONE, CHASE_ZONE + 1 if chases else CHASE_ZONE):
        for winner in range(2):
            if find_zone(work, kind, winner, True):
                for node in range(work.graph.nodes):
                    found += work.alive[node] == INSIDE
    return found
