"""Solvers for Python: mates by checks alone and by any moves, gains by captures and checks."""

from operator import index

from cpython.exc cimport PyErr_CheckSignals
from cpython.mem cimport PyMem_Calloc, PyMem_Free

from xiangqi.core.board cimport CoreBoard
from xiangqi.core.forcing.gains cimport (
    FLOATED as FLOATED_SCORE, MATED as MATED_SCORE, MAX_BANNED as MAX_BANNED_GAINS,
    MAX_PLIES as MAX_GAIN_PLIES, REPAID as REPAID_SCORE, GainSearch, find_gain,
)
from xiangqi.core.forcing.mates cimport (
    MAX_BANNED as MAX_BANNED_MATES, MAX_CHECKS as MAX_CHECK_MOVES, MateEntry, MateSearch,
    find_mate as find_mate_by_checks,
)
from xiangqi.core.forcing.proofs cimport (
    MAX_MATING_MOVES, PROOF_NODES, ProofSearch, close_proofs, open_proofs, prove, read_proof,
)
from xiangqi.core.move cimport Move, shared_move
from xiangqi.core.moves.bitboard cimport any_of, bb_empty, bit, union
from xiangqi.core.moves.defs cimport NO_PIECE, SQUARES, Move as MoveCode, int64_t, to_square
from xiangqi.core.moves.movegen cimport MoveList, generate_legal, gives_check
from xiangqi.core.moves.position cimport Position, checkers, compute_key

cdef enum:
    MIN_TABLE = 1 << 8
    MAX_TABLE = 1 << 20

MAX_CHECKS = MAX_CHECK_MOVES
MAX_MOVES = MAX_MATING_MOVES
MAX_PLIES = MAX_GAIN_PLIES
MAX_BANNED = min(MAX_BANNED_GAINS, MAX_BANNED_MATES)
MATED = MATED_SCORE
REPAID = REPAID_SCORE
FLOATED = FLOATED_SCORE


cdef int set_attacker(CoreBoard board, bint attacker, Position* found) except -1:
    """Copy the position with the attacker to move; the other side passes if necessary."""
    cdef const Position* pos = board.pos()
    found[0] = pos[0]
    if pos.turn == attacker:
        return 0
    if any_of(checkers(pos, pos.turn)):
        raise ValueError("a side in check cannot pass")
    found.turn = attacker
    found.key = compute_key(found)
    return 0


cdef long long check_number(str name, object value, long long least, long long most) except -1:
    number = index(value)
    if not least <= number <= most:
        raise ValueError(f"invalid {name} {value}: expected {least} to {most}")
    return number


cdef int list_banned(object banned, MoveCode* codes) except -1:
    cdef int count = 0
    cdef Move move
    for move in banned:
        if count == MAX_BANNED:
            raise ValueError(f"too many banned moves: expected {MAX_BANNED} at most")
        codes[count] = move.code
        count += 1
    return count


def find_check_mate(
    CoreBoard board not None, max_checks, node_limit, attacker=None, banned=()
):
    """Mate by an unbroken series of checks: (line, settled, nodes).

    ``line`` is the shortest such mate against the longest defence, from the attacker's first check
    to the mate; None if there is none within ``max_checks`` checks. ``settled`` is False if
    ``node_limit`` was reached before that was known. The attacker is the side to move, unless a
    color is given; if that side is not to move, the other side passes, which it cannot in check
    (ValueError). The attacker may not make the ``banned`` moves.
    """
    cdef MateSearch search
    cdef long long entries = MIN_TABLE
    cdef int checks = check_number("max_checks", max_checks, 1, MAX_CHECKS)
    cdef bint found
    search.limit = check_number("node_limit", node_limit, 1, 1 << 62)
    set_attacker(board, board.turn if attacker is None else attacker, &search.pos)
    search.banned_count = list_banned(banned, search.banned)
    while entries < MAX_TABLE and entries < search.limit // 16:
        entries *= 2
    search.nodes = 0
    search.stopped = False
    search.mask = entries - 1
    search.table = <MateEntry*>PyMem_Calloc(entries, sizeof(MateEntry))
    if search.table == NULL:
        raise MemoryError(f"no memory for {entries} positions")
    try:
        with nogil:
            found = find_mate_by_checks(&search, checks)
    finally:
        PyMem_Free(search.table)
    line = tuple([shared_move(search.line[i]) for i in range(search.length)]) if found else None
    return line, not search.stopped, search.nodes


def find_mate(CoreBoard board not None, max_moves, node_limit):
    """Mate by any moves of the side to move: (line, settled, nodes).

    ``line`` is a mate within ``max_moves`` moves, not always the shortest, against the longest
    defence to the attacker's moves; None if there is none. ``settled`` is False if ``node_limit``
    was reached before that was known.
    """
    cdef ProofSearch search
    cdef int moves = check_number("max_moves", max_moves, 1, MAX_MATING_MOVES)
    cdef int64_t limit = check_number("node_limit", node_limit, 1, 1 << 62)
    cdef bint settled = False
    search.pos = board.pos()[0]
    if not open_proofs(&search, limit):
        raise MemoryError("no memory for the solver's table")
    try:
        while not settled and search.nodes < limit:
            with nogil:
                settled = prove(&search, moves, min(limit, search.nodes + PROOF_NODES))
            PyErr_CheckSignals()
        if search.found.wins:
            return None, settled, search.nodes
        with nogil:
            read_proof(&search)
    finally:
        close_proofs(&search)
    return tuple([shared_move(search.line[i]) for i in range(search.length)]), True, search.nodes


def find_gains(
    CoreBoard board not None, bint attacker, node_limit, *, plies=16, check_plies=8, least=-50,
    most=MATED, moves=None, banned=(), idle=None, aims=(), bint alone=False, bint local=False,
):
    """Gain of each capture and check of a side: ([(move, score, line)], settled, nodes).

    If the side is not to move, the other side passes, which it cannot in check (ValueError).

    ``score`` is the gain that the side can force: 100 for an advisor or elephant, 200 for a horse
    or cannon, 400 for a chariot, 30 for a crossed soldier. Any number of crossed soldiers is even
    with other pieces worth less than a chariot; scores strictly between -20 and 20 are even. The
    even score REPAID means that the gain of the exchange is lost elsewhere, with a piece that did
    not move; FLOATED, that only soldiers are lost so, for other pieces. A score beyond MATED -
    MAX_PLIES is a mate, one below its negative being mated. A score of at most ``least`` is an
    upper bound, one of at least ``most`` a lower bound. ``line`` leads to the score, and ends where
    stopping is best. It has at most ``plies`` plies, and quiet checks in its first ``check_plies``
    only. ``settled`` is False if ``node_limit`` was reached.

    Options: search only these first ``moves``; bar the ``banned`` moves, or moves of the piece on
    the square ``idle``; let the attacker move one piece only, ``alone``, without the checks of
    others. None of these binds the attacker in check. With ``aims``, nothing is won unless a piece
    on one of these squares is captured. With ``local``, both sides only recapture on the square of
    the last capture or stop, even in check. The attacker's king and soldiers make no captures but
    recaptures, the king only on the square of the first capture.
    """
    cdef GainSearch search
    cdef MoveList found
    cdef int i, score, lowest, highest
    allowed = None if moves is None else {move.code for move in moves}
    set_attacker(board, attacker, &search.pos)
    search.attacker = attacker
    search.nodes = 0
    search.limit = check_number("node_limit", node_limit, 1, 1 << 62)
    search.stopped = False
    search.plies = check_number("plies", plies, 1, MAX_PLIES)
    search.check_plies = check_number("check_plies", check_plies, 0, MAX_PLIES)
    search.alone = alone
    search.local = local
    search.idle = SQUARES if idle is None else check_number("idle", idle, 0, SQUARES - 1)
    search.aims = bb_empty()
    for square in aims:
        search.aims = union(search.aims, bit(check_number("aims", square, 0, SQUARES - 1)))
    search.banned_count = list_banned(banned, search.banned)
    lowest = check_number("least", least, -MATED_SCORE, MATED_SCORE)
    highest = check_number("most", most, lowest + 1, MATED_SCORE)
    generate_legal(&search.pos, &found)
    gains = []
    for i in range(found.count):
        if not is_first_move(&search, found.moves[i], allowed):
            continue
        with nogil:
            score = find_gain(&search, found.moves[i], lowest, highest)
        line = tuple([shared_move(search.line[0][ply]) for ply in range(search.length[0])])
        gains.append((line[0], score, line))
    return gains, not search.stopped, search.nodes


cdef bint is_first_move(const GainSearch* search, MoveCode move, object allowed):
    """Is the move searched as a first move?"""
    cdef int i
    if allowed is not None and move not in allowed:
        return False
    for i in range(search.banned_count):
        if search.banned[i] == move:
            return False
    return search.pos.board[to_square(move)] != NO_PIECE or gives_check(&search.pos, move)
