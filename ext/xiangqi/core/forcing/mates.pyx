"""An exact mate solver: AND/OR search, deepened one check at a time until proof or refutation.

The attacker needs one move that mates against every reply. The first proved number n of checks is
the least, and a line of shortest mates repeats no position: after k checks it is mate in exactly
n - k. So repetitions need no test, and table entries do not depend on the path.
"""

from cpython.exc cimport PyErr_CheckSignals

from xiangqi.core.moves.bitboard cimport Bitboard
from xiangqi.core.moves.defs cimport NO_MOVE
from xiangqi.core.moves.movegen cimport (
    MoveList, count_legal, generate_legal, is_check, unveiling_squares,
)
from xiangqi.core.moves.position cimport Undo, make, unmake
from xiangqi.core.system.bits cimport ensure

cdef enum:
    SIGNAL_NODES = 1 << 16  # nodes between two polls for Ctrl-C

cdef struct Checks:  # the checks of a position, fewest replies first
    int count
    Move[128] moves
    int[128] replies


cdef bint find_mate(MateSearch* search, int max_checks) except -1 nogil:
    """Is it mate within ``max_checks`` checks? The line is the shortest mate and longest defence.

    False with ``search.stopped`` means that the node limit was reached. Ctrl-C raises
    KeyboardInterrupt and does not restore the position.
    """
    cdef int checks
    search.length = 0
    for checks in range(1, max_checks + 1):
        if attack(search, checks):
            search.limit = <int64_t>1 << 62  # no limit while the line is read from the proof
            read_line(search, checks)
            return True
        if search.stopped:
            break
    return False


cdef inline MateEntry* entry_of(MateSearch* search) noexcept nogil:
    return &search.table[search.pos.key & search.mask]


cdef void save(MateSearch* search, int proved, int refuted) noexcept nogil:
    """Store a result for the present position; always replace another position."""
    cdef MateEntry* entry = entry_of(search)
    if entry.key != search.pos.key:
        entry.key = search.pos.key
        entry.proved = entry.refuted = 0
    if proved:
        entry.proved = proved
    entry.refuted = max(entry.refuted, refuted)


cdef int play(MateSearch* search, Move move, Undo* undo) except -1 nogil:
    """Make a move and count it."""
    make(&search.pos, move, undo)
    search.nodes += 1
    search.stopped |= search.nodes >= search.limit
    if search.nodes % SIGNAL_NODES == 0:
        with gil:
            PyErr_CheckSignals()
    return 0


cdef bint is_banned(const MateSearch* search, Move move) noexcept nogil:
    cdef int i
    for i in range(search.banned_count):
        if search.banned[i] == move:
            return True
    return False


cdef int list_checks(MateSearch* search, Checks* checks) except -1 nogil:
    """List the checks of the side to move, fewest replies first; stable."""
    cdef Bitboard unveiling = unveiling_squares(&search.pos)
    cdef MoveList moves
    cdef Undo undo
    cdef Move move
    cdef int i, j, replies
    checks.count = 0
    generate_legal(&search.pos, &moves)
    for i in range(moves.count):
        move = moves.moves[i]
        if not is_check(&search.pos, move, unveiling) or is_banned(search, move):
            continue
        play(search, move, &undo)
        replies = count_legal(&search.pos)
        unmake(&search.pos, &undo)
        j = checks.count
        while j > 0 and replies < checks.replies[j - 1]:
            checks.moves[j] = checks.moves[j - 1]
            checks.replies[j] = checks.replies[j - 1]
            j -= 1
        checks.moves[j] = move
        checks.replies[j] = replies
        checks.count += 1
    return 0


cdef bint attack(MateSearch* search, int left) except -1 nogil:
    """Can the side to move mate with at most ``left`` checks?"""
    cdef const MateEntry* entry = entry_of(search)
    cdef Checks checks
    cdef Undo undo
    cdef bint mates
    cdef int i
    if entry.key == search.pos.key:
        if 0 < entry.proved <= left:
            return True
        if entry.refuted >= left:
            return False
    list_checks(search, &checks)
    for i in range(checks.count):
        mates = checks.replies[i] == 0
        if not mates and left > 1:
            play(search, checks.moves[i], &undo)
            mates = not search.stopped and not defend(search, left - 1)
            unmake(&search.pos, &undo)
        if mates:
            save(search, 1 if checks.replies[i] == 0 else left, 0)
            return True
        if search.stopped:
            return False
    save(search, 0, left)
    return False


cdef bint defend(MateSearch* search, int left) except -1 nogil:
    """Has the side to move a reply after which a mate with ``left`` checks is not proved?"""
    cdef MoveList moves
    cdef Undo undo
    cdef bint mated
    cdef int i
    generate_legal(&search.pos, &moves)
    for i in range(moves.count):
        play(search, moves.moves[i], &undo)
        mated = not search.stopped and attack(search, left)
        unmake(&search.pos, &undo)
        if not mated:
            return True
    return False


cdef int least_checks(MateSearch* search, int known) except -1 nogil:
    """The least number of checks that mate; a mate with ``known`` checks is proved."""
    cdef int checks
    for checks in range(1, known):
        if attack(search, checks):
            return checks
    return known


cdef int read_line(MateSearch* search, int checks) except -1 nogil:
    """Fill in the line of a mate of known length: play it to its end and take it back."""
    cdef Undo[MATE_LINE] undos
    cdef int i
    search.stopped = False
    while True:
        play_line(search, find_check(search, checks), undos)
        checks -= 1
        if checks == 0:
            break
        play_line(search, longest_defence(search, checks), undos)
    for i in range(search.length - 1, -1, -1):
        unmake(&search.pos, &undos[i])
    return 0


cdef int play_line(MateSearch* search, Move move, Undo* undos) except -1 nogil:
    search.line[search.length] = move
    play(search, move, &undos[search.length])
    search.length += 1
    return 0


cdef Move find_check(MateSearch* search, int checks) except? 0 nogil:
    """First check of a mate of exactly this length."""
    cdef Checks found
    cdef Undo undo
    cdef int i
    cdef bint mates
    list_checks(search, &found)
    for i in range(found.count):
        mates = found.replies[i] == 0
        if checks > 1:
            play(search, found.moves[i], &undo)
            mates = not defend(search, checks - 1)
            unmake(&search.pos, &undo)
        if mates:
            return found.moves[i]
    ensure(False)
    return NO_MOVE


cdef Move longest_defence(MateSearch* search, int checks) except? 0 nogil:
    """First reply after which the mate takes all ``checks`` checks."""
    cdef MoveList moves
    cdef Undo undo
    cdef int i, least
    generate_legal(&search.pos, &moves)
    for i in range(moves.count):
        play(search, moves.moves[i], &undo)
        least = least_checks(search, checks)
        unmake(&search.pos, &undo)
        if least == checks:
            return moves.moves[i]
    ensure(False)
    return NO_MOVE
