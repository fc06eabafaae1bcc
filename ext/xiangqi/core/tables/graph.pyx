"""Making the graph: each position set up once, its legal moves played, the facts asked."""

from libc.stdlib cimport calloc, free, malloc, realloc

from xiangqi.core.moves.bitboard cimport any_of
from xiangqi.core.moves.defs cimport MAX_MOVES, NO_MOVE, NO_PIECE, RED, Move, color_of
from xiangqi.core.moves.movegen cimport MoveList, generate_legal
from xiangqi.core.moves.position cimport Position, Undo, checkers, make, unmake
from xiangqi.core.repetition.facts cimport (
    CHASE, PROFIT, UNANSWERED, AttackSet, find_attacks, settle_attacks,
)
from xiangqi.core.tables.cells cimport (
    DRAWN, distance_of, is_lost, is_won, level_of, make_cell,
)
from xiangqi.core.tables.material cimport find_index, place_index
from xiangqi.core.tables.shelf cimport look_up

cdef enum:
    EDGES_A_NODE = 8     # to begin with; more are taken where they are needed


cdef bint reserve_graph(Graph* graph, uint32_t nodes, uint64_t edges) noexcept nogil:
    """Memory for so many nodes, all of them taken for impossible, and edges that lead on."""
    graph.nodes = nodes
    graph.is_position = <uint8_t*>calloc(nodes, 1)
    graph.exits = <Exits*>calloc(nodes, sizeof(Exits))
    graph.out.first = <uint64_t*>calloc(nodes + 1, sizeof(uint64_t))
    graph.out.node = <uint32_t*>malloc((edges + 1) * sizeof(uint32_t))
    graph.out.marks = <uint8_t*>malloc(edges + 1)
    graph.back.first = NULL
    graph.back.node = NULL
    graph.back.marks = NULL
    return not (
        graph.is_position == NULL or graph.exits == NULL or graph.out.first == NULL
        or graph.out.node == NULL or graph.out.marks == NULL
    )


cdef void free_graph(Graph* graph) noexcept nogil:
    free(graph.is_position)
    free(graph.exits)
    free(graph.out.first)
    free(graph.out.node)
    free(graph.out.marks)
    free(graph.back.first)
    free(graph.back.node)
    free(graph.back.marks)


cdef bint make_back_edges(Graph* graph) noexcept nogil:
    """Sort the edges by where they lead."""
    cdef uint64_t edges = graph.out.first[graph.nodes]
    cdef uint64_t i, at
    cdef uint32_t node
    cdef uint64_t* first = <uint64_t*>calloc(graph.nodes + 2, sizeof(uint64_t))
    graph.back.first = first
    graph.back.node = <uint32_t*>malloc((edges + 1) * sizeof(uint32_t))
    graph.back.marks = <uint8_t*>malloc(edges + 1)
    if first == NULL or graph.back.node == NULL or graph.back.marks == NULL:
        return False
    for i in range(edges):
        first[graph.out.node[i] + 2] += 1
    for node in range(graph.nodes):
        first[node + 2] += first[node + 1]
    for node in range(graph.nodes):  # first[n + 1] runs from where n's edges begin to their end
        for i in range(graph.out.first[node], graph.out.first[node + 1]):
            at = first[graph.out.node[i] + 1]
            first[graph.out.node[i] + 1] += 1
            graph.back.node[at] = node
            graph.back.marks[at] = graph.out.marks[i]
    return True


# The marks of a move: the judge's facts, asked for the mover and for the other


cdef void find_facts(const Position* pos, const Rules* rules, Facts* facts) noexcept nogil:
    cdef bint waive = any_of(checkers(pos, pos.turn)) and not rules.escapes_renew
    find_attacks(pos, pos.turn, rules, waive, &facts.own)
    find_attacks(pos, pos.turn ^ 1, rules, False, &facts.enemy)


cdef bint has_reason(const AttackSet* attacks, int reason) noexcept nogil:
    cdef int i
    for i in range(attacks.count):
        if attacks.attacks[i].reason == reason:
            return True
    return False


cdef int marks_of(
    const Position* pos, Move move, const Rules* rules, const Facts* before
) noexcept nogil:
    """The marks of a move that has been played.

    The judge compares three positions. That a threat is made by a move is seen without the
    reply, as if this parried everything; that a reply parries it, without what was before.
    """
    cdef AttackSet nothing, made, left, after
    cdef int mover = pos.turn ^ 1
    cdef bint checks = any_of(checkers(pos, pos.turn))
    cdef int marks = CHECKS if checks else 0
    if not rules.count_chases:
        return marks | ANSWERS | PARRIES
    nothing.count = 0
    if not checks or rules.checks_may_chase:
        find_attacks(pos, mover, rules, False, &made)
        settle_attacks(&made, &before.own, &nothing, move, NO_MOVE, rules)
        if has_reason(&made, CHASE):
            marks |= CHASES
    if not has_reason(&before.enemy, PROFIT):
        return marks | ANSWERS | PARRIES
    find_attacks(pos, mover ^ 1, rules, False, &after)
    left = before.enemy
    settle_attacks(&left, &nothing, &after, NO_MOVE, move, rules)
    if not has_reason(&left, UNANSWERED):
        marks |= ANSWERS
    if has_reason(&left, CHASE):
        marks |= PARRIES
    return marks


# The nodes


cdef void enter_exit(Exits* exits, Cell reply) noexcept nogil:
    """Book a capture by what the position after it is to the other side."""
    if is_lost(reply):
        if exits.best == DRAWN or reply < exits.best:
            exits.best = reply
    elif not is_won(reply):
        exits.draws = True
    elif exits.worst == DRAWN:
        exits.worst = reply
    else:
        exits.worst = make_cell(
            max(level_of(exits.worst), level_of(reply)),
            max(distance_of(exits.worst), distance_of(reply)),
        )


cdef bint make_room(Graph* graph, uint64_t* room, uint64_t edges) noexcept nogil:
    """See to it that another position's moves find room."""
    cdef void* node
    cdef void* marks
    if edges + MAX_MOVES <= room[0]:
        return True
    room[0] = room[0] + room[0] // 2 + MAX_MOVES
    node = realloc(graph.out.node, (room[0] + 1) * sizeof(uint32_t))
    if node != NULL:
        graph.out.node = <uint32_t*>node
    marks = realloc(graph.out.marks, room[0] + 1)
    if marks != NULL:
        graph.out.marks = <uint8_t*>marks
    return node != NULL and marks != NULL


cdef int add_moves(
    Graph* graph, uint64_t* edges, uint32_t index, Position* pos,
    const Material* material, const Rules* rules, const Shelf* shelf
) noexcept nogil:
    """The moves of one position: those that stay in the class as edges, captures as exits."""
    cdef MoveList moves
    cdef Undo undo
    cdef Facts before
    cdef Cell cell
    cdef bint known
    cdef int i
    generate_legal(pos, &moves)
    if rules.count_chases:
        find_facts(pos, rules, &before)
    for i in range(moves.count):
        make(pos, moves.moves[i], &undo)
        if undo.captured == NO_PIECE:
            known = find_index(material, pos, False, &graph.out.node[edges[0]])
            graph.out.marks[edges[0]] = marks_of(pos, moves.moves[i], rules, &before)
            edges[0] += 1
        else:
            known = look_up(shelf, pos, &cell)
            if known:
                enter_exit(&graph.exits[index], cell)
        unmake(pos, &undo)
        if not known:
            return NO_TABLE
    return DONE


cdef int make_graph(
    Graph* graph, const Material* material, const Rules* rules, const Shelf* shelf
) noexcept nogil:
    """The graph of a class; the classes that captures lead to are on the shelf."""
    cdef Position pos
    cdef uint64_t room = <uint64_t>material.size * EDGES_A_NODE
    cdef uint64_t edges = 0
    cdef uint32_t index
    cdef int i, wrong
    if not reserve_graph(graph, material.size, room):
        return NO_MEMORY
    graph.half = material.half
    graph.red_men = graph.black_men = 0
    for i in range(material.groups):
        if color_of(material.group[i].piece) == RED:
            graph.red_men += material.group[i].count
        else:
            graph.black_men += material.group[i].count
    for index in range(material.size):
        graph.out.first[index] = edges
        if not place_index(material, index, &pos):
            continue
        graph.is_position[index] = True
        if not make_room(graph, &room, edges):
            return NO_MEMORY
        wrong = add_moves(graph, &edges, index, &pos, material, rules, shelf)
        if wrong != DONE:
            return wrong
    graph.out.first[material.size] = edges
    return DONE if make_back_edges(graph) else NO_MEMORY
