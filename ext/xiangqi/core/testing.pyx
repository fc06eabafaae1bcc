"""C functions for tests.

A set of squares is an ``int`` here; bit ``s`` is square ``s``.
"""

from libc.stdlib cimport calloc, free
from libc.string cimport memset

from xiangqi.core.board cimport CoreBoard, RuleSwitches
from xiangqi.core.evaluation.scores cimport DRAW_SCORE, MAX_PLY, NO_SCORE
from xiangqi.core.move cimport Move
from xiangqi.core.moves.attacks cimport (
    BANK, BETWEEN, KNIGHT_LEG, PALACE, PAWN_FROM, attacks_of, beyond_two as beyond_two_of,
    knight_attackers as knight_attackers_of,
)
from xiangqi.core.moves.bitboard cimport (
    Bitboard, any_of, bb, bit, common, differ, has, lsb, meet, pop_lsb, popcount, same, union,
    without,
)
from xiangqi.core.moves.defs cimport (
    HALF, KINDS, MAX_MOVES as MOVE_LIST_SIZE, NO_PIECE, PIECE_CODES, SQUARES, uint8_t,
    uint32_t, uint64_t,
)
from xiangqi.core.moves.movegen cimport (
    KingSafety, find_king_safety, is_check, is_legal, is_pseudo_legal, unveiling_squares,
)
from xiangqi.core.moves.see cimport EXCHANGE_VALUE
from xiangqi.core.repetition.conduct cimport (
    CONDUCTS, Account, conduct_of as conduct_of_account, enter_ply, open_account,
)
from xiangqi.core.repetition.cycle cimport Cycle, find_cycle
from xiangqi.core.repetition.judge cimport verdicts_left as verdicts_left_of
from xiangqi.core.repetition.rounds cimport rule_on_cycle as rule_on_cycle_of
from xiangqi.core.repetition.verdict cimport BLACK_WINS, verdict_of as verdict_of_conducts
from xiangqi.core.search.deepening cimport is_skipped
from xiangqi.core.search.tree cimport negamax
from xiangqi.core.search.tt cimport (
    LOWER, Table, TTData, allocate, free_table, new_search, probe, store,
)
from xiangqi.core.search.vote cimport select_worker
from xiangqi.core.search.worker cimport Control, Worker, stack_at
from xiangqi.core.searcher cimport Searcher
from xiangqi.core.searches cimport SearchLimits
from xiangqi.core.tables.audit cimport Audit, audit
from xiangqi.core.tables.cells cimport DRAWN, Cell, distance_of, is_lost, is_won, level_of
from xiangqi.core.tables.edges cimport EndGame, open_class
from xiangqi.core.tables.graph cimport MAX_ORIGINS, Graph, Moves
from xiangqi.core.tables.material cimport Material, set_material
from xiangqi.core.tables.retrograde cimport solve
from xiangqi.core.tables.table_set cimport TableSet
from xiangqi.core.tables.watch cimport Watch

cdef enum:
    MAX_NODES = 64

MAX_MOVES = MOVE_LIST_SIZE
cdef object LOW = 2 ** int(HALF) - 1
cdef object ALL = 2 ** int(SQUARES) - 1


cdef int square_of(int square) except -1:
    if not 0 <= square < SQUARES:
        raise ValueError(f"invalid square {square}: expected 0 to 89")
    return square


cdef Bitboard read_set(object squares) except *:
    if not 0 <= squares <= ALL:
        raise ValueError(f"invalid set of squares {squares}: expected 90 bits")
    return bb(squares & LOW, squares >> HALF)


cdef object as_int(Bitboard squares):
    return int(squares.low) | int(squares.high) << HALF


# Sets of squares


def set_of(int square):
    """The set of one square."""
    return as_int(bit(square_of(square)))


def set_has(squares, int square):
    """Is the square in the set?"""
    return bool(has(read_set(squares), square_of(square)))


def set_union(one, other):
    """The squares in either set."""
    return as_int(union(read_set(one), read_set(other)))


def set_common(one, other):
    """The squares in both sets."""
    return as_int(common(read_set(one), read_set(other)))


def set_without(one, other):
    """The squares in the first and not in the second."""
    return as_int(without(read_set(one), read_set(other)))


def set_differ(one, other):
    """The squares in exactly one of the sets."""
    return as_int(differ(read_set(one), read_set(other)))


def set_meet(one, other):
    """Have the sets a square in common?"""
    return bool(meet(read_set(one), read_set(other)))


def set_same(one, other):
    """Are the sets equal?"""
    return bool(same(read_set(one), read_set(other)))


def set_any(squares):
    """Is the set not empty?"""
    return bool(any_of(read_set(squares)))


def set_popcount(squares):
    """The number of squares."""
    return popcount(read_set(squares))


def set_lsb(squares):
    """The lowest square of a set that is not empty."""
    cdef Bitboard board = read_set(squares)
    if not any_of(board):
        raise ValueError("the empty set has no lowest square")
    return lsb(board)


def set_pop_lsb(squares):
    """The lowest square of a set that is not empty, and the set without it."""
    cdef Bitboard left = read_set(squares)
    cdef int square
    if not any_of(left):
        raise ValueError("the empty set has no lowest square")
    square = pop_lsb(&left)
    return square, as_int(left)


# Attack tables


def attacks(int piece, int square, occupied):
    """The squares that a piece, given by its code, attacks from a square."""
    if not NO_PIECE < piece < PIECE_CODES:
        raise ValueError(f"invalid piece code {piece}")
    return as_int(attacks_of(piece, square_of(square), read_set(occupied)))


def beyond_two(int square, occupied):
    """Pieces behind exactly two others, seen from a square."""
    return as_int(beyond_two_of(square_of(square), read_set(occupied)))


def knight_attackers(int square, occupied):
    """The squares from which a horse attacks this one."""
    return as_int(knight_attackers_of(square_of(square), read_set(occupied)))


def knight_leg(int origin, int target):
    """The leg of a horse's jump; 0 if there is no such jump."""
    return KNIGHT_LEG[square_of(origin)][square_of(target)]


def pawn_attackers(bint color, int square):
    """The squares from which a soldier of ``color`` attacks this one."""
    return as_int(PAWN_FROM[color][square_of(square)])


def between(int one, int other):
    """The squares strictly between two squares of one line; empty for other squares."""
    return as_int(BETWEEN[square_of(one)][square_of(other)])


def bank(bint color):
    """Squares of that side's half of the board."""
    return as_int(BANK[color])


def palace():
    """Both palaces."""
    return as_int(PALACE)


# Moves


def is_legal_code(CoreBoard board not None, int code):
    """``is_legal`` for any number, a possible move or not."""
    return bool(is_legal(board.pos(), code))


def is_pseudo_legal_code(CoreBoard board not None, int code):
    """``is_pseudo_legal`` for any number, a possible move or not."""
    return bool(is_pseudo_legal(board.pos(), code))


def king_safety(CoreBoard board not None):
    """King safety of the side to move: (checkers, held, mounts, answers)."""
    cdef KingSafety safety = find_king_safety(board.pos(), board.pos().turn)
    return (
        as_int(safety.checkers), as_int(safety.held), as_int(safety.mounts),
        as_int(safety.answers),
    )


def is_check_by_squares(CoreBoard board not None, int code):
    """``is_check`` of a legal move, with the ``unveiling_squares`` of the position."""
    return bool(is_check(board.pos(), code, unveiling_squares(board.pos())))


def exchange_values():
    """Values of the exchange evaluation, indexed by piece type."""
    return tuple([EXCHANGE_VALUE[kind] for kind in range(KINDS)])


# The judge


def conduct_of(plies, RuleSwitches switches not None):
    """(Conduct, victims of all plies, victims shared by successive plies) of a side.

    A ply is given as (check, victims as 32 bits).
    """
    cdef Account account
    cdef bint check
    cdef uint32_t victims
    open_account(&account)
    for check, victims in plies:
        enter_ply(&account, check, victims, &switches.rules)
    return conduct_of_account(&account, &switches.rules), account.common, account.shared


def verdict_of(int red, int black, RuleSwitches switches not None):
    """The verdict on two conducts."""
    if not (0 <= red < CONDUCTS and 0 <= black < CONDUCTS):
        raise ValueError(f"invalid conducts {red}, {black}")
    return verdict_of_conducts(red, black, &switches.rules)


def verdicts_left(CoreBoard board not None, RuleSwitches switches not None):
    """Verdicts that the check flags leave possible, in order; empty if no cycle is ruled on."""
    cdef Cycle cycle
    cdef int left
    if not find_cycle(
        board.pos(), board.history, board.plies, switches.rules.occurrences, &cycle
    ):
        return ()
    left = verdicts_left_of(board.history, &cycle, &switches.rules, board.pos().turn)
    return tuple([verdict for verdict in range(BLACK_WINS + 1) if left >> verdict & 1])


def rule_on_cycle(CoreBoard board not None, RuleSwitches switches not None):
    """The search's verdict on a repeated position; None if the position is not repeated."""
    cdef Cycle cycle
    if not find_cycle(board.pos(), board.history, board.plies, 2, &cycle):
        return None
    return rule_on_cycle_of(board.pos(), board.history, &cycle, &switches.rules)


# Threads


def search_inside(
    Searcher searcher not None, CoreBoard board not None, SearchLimits limits not None,
    RuleSwitches switches not None, int beta, int depth, Move hint=None,
):
    """(Score, tainted?) of a board searched as an inner node with the window (beta - 1, beta).

    With a ``hint`` the table holds that move, with a draw score at depth - 1.
    """
    cdef Worker* worker = searcher.control.workers[0]
    cdef int score
    searcher.control.stop = False
    searcher.control.max_ply = MAX_PLY - 1
    searcher.control.limits = limits.values
    searcher.prepare(board, limits.moves, switches)
    worker.root_depth = depth
    stack_at(worker, 1).in_check = board.is_check()
    if worker.plies:
        stack_at(worker, 0).move = worker.history[worker.plies - 1].move
    if hint is not None:
        store(
            &searcher.control.table, worker.pos.key, hint.code, DRAW_SCORE, NO_SCORE, depth - 1,
            LOWER, 1, 0,
        )
    score = negamax(worker, beta - 1, beta, depth, 1, True)
    return score, bool(worker.tainted)


def searched_depths(int helper, int max_depth):
    """Depths up to ``max_depth`` that a helper searches."""
    return [depth for depth in range(1, max_depth + 1) if not is_skipped(helper, depth)]


def elect_worker(results):
    """Index of the worker whose move is played, given the result of each worker: (move code, score,
    last completed depth)."""
    cdef Control control
    cdef Worker* workers = <Worker*>calloc(len(results), sizeof(Worker))
    cdef Worker** pointers = <Worker**>calloc(len(results), sizeof(Worker*))
    cdef int i
    try:
        if workers == NULL or pointers == NULL:
            raise MemoryError(f"no memory for {len(results)} workers")
        memset(&control, 0, sizeof(control))
        control.workers = pointers
        control.worker_count = len(results)
        for i, (move, score, depth) in enumerate(results):
            pointers[i] = &workers[i]
            workers[i].is_main = i == 0
            workers[i].root_moves[0].move = move
            workers[i].root_moves[0].score = score
            workers[i].completed_depth = depth
        return select_worker(&control) - workers
    finally:
        free(pointers)
        free(workers)


# The transposition table


def stored_entry(results, int keep):
    """Table entry of a position after several results are stored: (move, score, depth, bound).

    ``keep`` is the search parameter TABLE_KEEP.
    """
    cdef Table table
    cdef TTData tt
    memset(&table, 0, sizeof(table))
    if not allocate(&table, 1):
        raise MemoryError("no memory for a table")
    for move, score, depth, bound in results:
        new_search(&table)
        store(&table, 1, move, score, 0, depth, bound, 0, keep)
    tt = probe(&table, 1, 0)
    free_table(&table)
    return (tt.move, tt.score, tt.depth, tt.bound) if tt.found else None


# Tables


def class_edges(bytes pieces not None, uint32_t index):
    """(Nodes after the quiet moves of a node, nodes from which a move leads to it, including
    impossible ones); None if the node is no position."""
    cdef Material material
    cdef EndGame game
    cdef Graph graph
    cdef TableSet table_set
    cdef Moves moves
    cdef uint32_t[MAX_ORIGINS] origins
    cdef int count, i
    if not set_material(&material, <const uint8_t*><const char*>pieces, len(pieces)):
        raise ValueError("the class is too large")
    memset(&table_set, 0, sizeof(table_set))
    open_class(&game, &graph, &material, NULL, &table_set)  # without the smaller classes
    if not graph.find_moves(&graph, index, False, &moves):
        return None
    count = graph.find_origins(&graph, index, origins)
    return [moves.node[i] for i in range(moves.count)], [origins[i] for i in range(count)]


cdef struct Web:              # a graph with explicit edges
    int marks[MAX_NODES][MAX_NODES]   # [origin][target]: marks of the move; -1 if there is none


cdef bint find_web_moves(
    const Graph* graph, uint32_t node, bint with_exits, Moves* moves
) noexcept nogil:
    cdef const Web* web = <const Web*>graph.source
    cdef uint32_t other
    moves.origin = node
    moves.count = 0
    moves.exits.best = moves.exits.worst = DRAWN
    moves.exits.draws = False
    for other in range(graph.nodes):
        if web.marks[node][other] >= 0:
            moves.node[moves.count] = other
            moves.count += 1
    return True


cdef int find_web_origins(const Graph* graph, uint32_t node, uint32_t* origins) noexcept nogil:
    cdef const Web* web = <const Web*>graph.source
    cdef uint32_t other
    cdef int count = 0
    for other in range(graph.nodes):
        if web.marks[other][node] >= 0:
            origins[count] = other
            count += 1
    return count


cdef int find_web_marks(const Graph* graph, Moves* moves, int which, int wanted) noexcept nogil:
    return (<const Web*>graph.source).marks[moves.origin][moves.node[which]] & wanted


cdef bint never_stop(const Watch* watch) noexcept nogil:
    return False


def solve_moves(int red_nodes, int nodes, moves, RuleSwitches switches not None):
    """Solve and audit a graph of moves (origin, target, marks), with Red to move at the first
    ``red_nodes`` nodes, like a class with one piece a side and the kings.

    Marks are those of ``tables/marks.pxd``. Returns the list of (value, distance, level) of each
    node, the number of doubtful nodes, and the number of violations in the audit.
    """
    cdef Web web
    cdef Graph graph
    cdef Watch watch
    cdef Audit result
    cdef uint64_t doubtful
    cdef Cell[MAX_NODES] cells
    cdef int node
    if not 0 <= red_nodes <= nodes <= MAX_NODES:
        raise ValueError(f"{nodes} nodes: expected {MAX_NODES} at most")
    memset(&web, 0xFF, sizeof(web))
    for origin, target, marks in moves:
        web.marks[<int>origin][<int>target] = marks
    memset(&watch, 0, sizeof(watch))
    watch.poll = never_stop
    graph.source = &web
    graph.nodes = nodes
    graph.half = red_nodes
    graph.pieces[0] = graph.pieces[1] = graph.crossing[0] = graph.crossing[1] = 1
    graph.find_moves = find_web_moves
    graph.find_origins = find_web_origins
    graph.marks_of = find_web_marks
    solve(&graph, &switches.rules, cells, &watch, &doubtful)
    audit(&graph, &switches.rules, cells, &watch, &result)
    values = [
        (is_won(cells[node]) - is_lost(cells[node]), max(0, distance_of(cells[node])),
         level_of(cells[node]))
        for node in range(nodes)
    ]
    return values, doubtful, result.violations
