"""Depth-first proof-number search (A. Nagai, "Df-pn algorithm for searching AND/OR trees and its
applications", 2002; https://www.chessprogramming.org/Proof-Number_Search): it expands the node with
the smallest proof or disproof number, and keeps its results in a hash table.

The number of moves left to the attacker is part of a node, so there are no cycles, and a proof does
not depend on the path. A mate within n moves is one within more; no mate within n means none within
fewer. A line of shortest proved mates repeats no position, as each is nearer to the mate than those
before: repetitions need no test.

Proof numbers start from the number of replies (mobility, as in D. Breuker, "Memory versus search in
games", 1998), doubled after a check, where all replies are forced. After a quiet move the start
value is the number of moves the defender would have if the attacker passed, less those of a
captured piece, so that such a move is not made before it is searched; moves that end near the king
go first. The best child is searched until it has a quarter more leaves than the second (J.
Pawlewicz and L. Lew, "Improving depth-first PN-search: 1 + epsilon trick", 2007).
"""

from libc.stdlib cimport abs

from xiangqi.core.moves.bitboard cimport Bitboard, bb_empty, popcount
from xiangqi.core.moves.defs cimport FILES, MAX_MOVES, NO_MOVE, NO_PIECE, to_square
from xiangqi.core.moves.movegen cimport (
    MoveList, count_legal, generate_legal, has_legal_move, is_check, pseudo_targets,
    unveiling_squares,
)
from xiangqi.core.moves.position cimport Undo, key_after, make, unmake
from xiangqi.core.system.bits cimport ensure, prefetch_line
from xiangqi.core.system.memory cimport allocate_pages, free_pages

cdef enum:
    NEVER = 0xFFFF           # an infinite proof number
    MAX_LEAVES = NEVER - 1   # finite proof numbers saturate here
    ALWAYS = 0xFF            # moves left: the result holds for any number
    WAYS = 4                 # entries of a bucket, which fills a cache line
    MIN_TABLE = 1 << 8       # buckets
    MAX_TABLE = 1 << 16
    CHECK_WEIGHT = 2         # leaves counted for each reply to a check
    REPLIED = 5              # initial disproof number of a position with the attacker to move
    NEAR = 3                 # steps from the king that leave a move's estimate unchanged

cdef struct Children:
    MoveList moves
    Key[MAX_MOVES] keys
    Numbers[MAX_MOVES] numbers


cdef bint open_proofs(ProofSearch* search, int64_t limit) noexcept nogil:
    """Allocate about one table entry for eight nodes of the limit; False if memory runs out."""
    cdef uint64_t buckets = MIN_TABLE
    while buckets < MAX_TABLE and <int64_t>buckets < limit // 32:
        buckets *= 2
    search.nodes = 0
    search.found = Numbers(1, 1, 0, 0, NO_MOVE)
    search.mask = buckets - 1
    search.table = <ProofEntry*>allocate_pages(buckets * WAYS * sizeof(ProofEntry))
    return search.table != NULL


cdef void close_proofs(ProofSearch* search) noexcept nogil:
    free_pages(search.table)
    search.table = NULL


cdef bint prove(ProofSearch* search, int max_moves, int64_t limit) noexcept nogil:
    """Search for a mate within ``max_moves`` moves; False if the node limit is reached.

    Afterwards ``found.wins`` is 0 if the mate is proved, ``found.loses`` if there is none. Another
    call with a higher limit continues the search.
    """
    search.limit = limit
    search.stopped = False
    search.found = solve(search, max_moves, True, NEVER, NEVER)
    return search.found.wins == 0 or search.found.loses == 0


# The table


cdef inline ProofEntry* bucket_of(const ProofSearch* search, Key key) noexcept nogil:
    return &search.table[(key & search.mask) * WAYS]


cdef inline bint holds(const Numbers* known, int left, bint attacker) noexcept nogil:
    """Does a stored result hold for ``left`` moves?"""
    if known.wins and known.loses:
        return known.left == left
    if attacker == (known.wins == 0):
        return known.left <= left  # a mate
    return known.left >= left


cdef inline bint look_up(
    const ProofSearch* search, Key key, int left, bint attacker, Numbers* found
) noexcept nogil:
    """Look up a position, preferring a settled entry; is there any?"""
    cdef const ProofEntry* entry = bucket_of(search, key)
    cdef bint any_found = False
    cdef int i
    for i in range(WAYS):
        if entry[i].key == key and entry[i].numbers.effort and holds(
            &entry[i].numbers, left, attacker
        ):
            found[0] = entry[i].numbers
            any_found = True
            if found.wins == 0 or found.loses == 0:
                break
    return any_found


cdef void keep(
    ProofSearch* search, Numbers* found, bint attacker, int64_t nodes
) noexcept nogil:
    """Store the present position's numbers, in place of an entry that they supersede or else of the
    one with the least effort."""
    cdef ProofEntry* entry = bucket_of(search, search.pos.key)
    cdef ProofEntry* chosen = entry
    cdef int i
    found.effort = 1
    while nodes > 0:
        nodes >>= 1
        found.effort += 1
    for i in range(WAYS):
        if entry[i].key == search.pos.key and holds(found, entry[i].numbers.left, attacker):
            chosen = &entry[i]
            break
        if entry[i].numbers.effort < chosen.numbers.effort:
            chosen = &entry[i]
    chosen.key = search.pos.key
    chosen.numbers = found[0]


# Initial estimates


cdef inline Numbers settled(bint wins, int left) noexcept nogil:
    """Proof numbers of a node that is won or lost for the side to move."""
    return Numbers(0 if wins else NEVER, NEVER if wins else 0, left, 1, NO_MOVE)


cdef Move mate_at_once(ProofSearch* search) noexcept nogil:
    """A move that mates, or NO_MOVE."""
    cdef MoveList moves
    cdef Undo undo
    cdef bint mates
    cdef int i
    generate_legal(&search.pos, &moves)
    for i in range(moves.count):
        make(&search.pos, moves.moves[i], &undo)
        mates = not has_legal_move(&search.pos)
        unmake(&search.pos, &undo)
        if mates:
            return moves.moves[i]
    return NO_MOVE


cdef Numbers guess_check(ProofSearch* search, Move move, int left) noexcept nogil:
    """Initial numbers after an attacker's check, or after its last move."""
    cdef Undo undo
    cdef int replies
    search.nodes += 1
    make(&search.pos, move, &undo)
    replies = count_legal(&search.pos)
    unmake(&search.pos, &undo)
    if replies == 0 or left == 0:
        return settled(replies > 0, 0)
    return Numbers(1, CHECK_WEIGHT * replies, left, 1, NO_MOVE)


cdef inline Numbers guess_other(
    const ProofSearch* search, Move move, int left, int replies
) noexcept nogil:
    """Initial numbers after an attacker's move that gives no check."""
    cdef int target = to_square(move)
    cdef int king = search.pos.king[search.pos.turn ^ 1]
    cdef int steps = abs(target % FILES - king % FILES) + abs(target // FILES - king // FILES)
    cdef int leaves = replies + steps - NEAR
    if search.pos.board[target] != NO_PIECE:
        leaves -= popcount(pseudo_targets(&search.pos, target))
    return Numbers(1, max(1, leaves), left, 1, NO_MOVE)


cdef Numbers guess_reply(ProofSearch* search, Move move, int left) noexcept nogil:
    """Initial numbers after a defender's move; exact if the attacker has one move left."""
    cdef Numbers found
    cdef Undo undo
    cdef Move mate
    search.nodes += 1
    if left > 1:
        return Numbers(1, REPLIED, left, 1, NO_MOVE)
    make(&search.pos, move, &undo)
    mate = mate_at_once(search)
    found = settled(mate != NO_MOVE, 1)
    found.move = mate
    keep(search, &found, True, 1)
    unmake(&search.pos, &undo)
    return found


cdef inline int count_replies(ProofSearch* search) noexcept nogil:
    """Number of moves the defender would have if the attacker passed."""
    cdef int count
    search.pos.turn ^= 1
    count = count_legal(&search.pos)
    search.pos.turn ^= 1
    return count


# The search


cdef void open_node(
    ProofSearch* search, int left, bint attacker, Children* children
) noexcept nogil:
    """List the children with their proof and disproof numbers; stop at the first that wins."""
    cdef Bitboard unveiling = bb_empty()
    cdef Numbers* found
    cdef Move move
    cdef int replies = -1
    cdef int i
    generate_legal(&search.pos, &children.moves)
    if attacker and left:
        unveiling = unveiling_squares(&search.pos)
    for i in range(children.moves.count):
        children.keys[i] = key_after(&search.pos, children.moves.moves[i])
        prefetch_line(bucket_of(search, children.keys[i]))
    for i in range(children.moves.count):
        move = children.moves.moves[i]
        found = &children.numbers[i]
        if not look_up(search, children.keys[i], left, not attacker, found):
            if not attacker:
                found[0] = guess_reply(search, move, left)
            elif left == 0 or is_check(&search.pos, move, unveiling):
                found[0] = guess_check(search, move, left)
            else:
                if replies < 0:
                    replies = count_replies(search)
                found[0] = guess_other(search, move, left, replies)
        if found.loses == 0:
            children.moves.count = i + 1
            return


cdef Numbers sum_up(
    const Children* children, int left, bint attacker, int* best, int* second
) noexcept nogil:
    """Combine the children's numbers: the side to move wins if one child loses, and loses if all
    win. Also find the child to search next, ``best``, and the second smallest ``loses``."""
    cdef const Numbers* child
    cdef int least = NEVER
    cdef int total = 0
    cdef int i
    best[0] = 0
    second[0] = NEVER
    for i in range(children.moves.count):
        child = &children.numbers[i]
        total = min(total + child.wins, MAX_LEAVES)
        if child.loses < least:
            second[0] = least
            least = child.loses
            best[0] = i
        elif child.loses < second[0]:
            second[0] = child.loses
    if least == 0:
        return sum_up_settled(children, True, attacker)
    if total == 0:
        return sum_up_settled(children, False, attacker)
    return Numbers(least, total, left, 1, NO_MOVE)


cdef Numbers sum_up_settled(
    const Children* children, bint wins, bint attacker
) noexcept nogil:
    """Numbers of a node that is won, as a child loses, or lost, as all children win; ``left`` is
    the number of moves for which that is proved."""
    cdef const Numbers* child
    cdef Numbers found = settled(wins, ALWAYS if attacker else 0)
    cdef int i
    for i in range(children.moves.count):
        child = &children.numbers[i]
        if wins and child.loses:
            continue
        if not attacker:
            found.left = max(found.left, child.left)
        elif child.left + 1 < found.left:
            found.left = child.left + 1
            found.move = children.moves.moves[i]
    return found


cdef Numbers solve(
    ProofSearch* search, int left, bint attacker, int wins_limit, int loses_limit
) noexcept nogil:
    """Search a node until one of its numbers reaches its limit, or the search stops."""
    cdef Children children
    cdef Numbers found
    cdef Numbers* child
    cdef Undo undo
    cdef int64_t began = search.nodes
    cdef int below = left - attacker
    cdef int best, second
    open_node(search, below, attacker, &children)
    while True:
        found = sum_up(&children, left, attacker, &best, &second)
        if found.wins >= wins_limit or found.loses >= loses_limit or search.stopped:
            break
        child = &children.numbers[best]
        make(&search.pos, children.moves.moves[best], &undo)
        search.nodes += 1
        search.stopped |= search.nodes >= search.limit
        child[0] = solve(
            search, below, not attacker, loses_limit - (found.loses - child.wins),
            min(wins_limit, second + second // 4 + 1),
        )
        unmake(&search.pos, &undo)
    keep(search, &found, attacker, search.nodes - began)
    return found


# The line


cdef void read_proof(ProofSearch* search) noexcept nogil:
    """Fill in the line of a proved mate: the attacker's proved moves, the longest defence."""
    search.limit = <int64_t>1 << 62  # no limit while the line is read from the proof
    search.stopped = False
    read_line(search, search.found.left, 0)


cdef Numbers proved(ProofSearch* search, int left) noexcept nogil:
    """Numbers of a proved mate, searched again if the table has overwritten them."""
    cdef Numbers found
    if look_up(search, search.pos.key, left, True, &found) and found.wins == 0:
        return found
    return solve(search, left, True, NEVER, NEVER)


cdef int read_line(ProofSearch* search, int left, int ply) noexcept nogil:
    """Fill in the line from a ply on; return the mate's length in moves.

    Reading on may find a shorter mate after a reply than the table had; then another reply may be
    the longest defence.
    """
    cdef Numbers found = proved(search, left)
    cdef MoveList replies
    cdef int[MAX_MOVES] moves
    cdef Undo attack, defence
    cdef int i, longest, number
    ensure(found.wins == 0)
    search.line[ply] = found.move
    search.length = ply + 1
    make(&search.pos, found.move, &attack)
    generate_legal(&search.pos, &replies)
    for i in range(replies.count):
        make(&search.pos, replies.moves[i], &defence)
        moves[i] = proved(search, found.left - 1).left
        unmake(&search.pos, &defence)
    longest = longest_of(moves, replies.count)
    number = 0
    while replies.count:
        search.line[ply + 1] = replies.moves[longest]
        make(&search.pos, replies.moves[longest], &defence)
        number = read_line(search, moves[longest], ply + 2)
        unmake(&search.pos, &defence)
        moves[longest] = number
        i = longest_of(moves, replies.count)
        if moves[i] == number:
            break
        longest = i
    unmake(&search.pos, &attack)
    return number + 1


cdef inline int longest_of(const int* moves, int count) noexcept nogil:
    """Index of the first largest number."""
    cdef int i, best = 0
    for i in range(1, count):
        if moves[i] > moves[best]:
            best = i
    return best
