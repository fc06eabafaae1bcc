"""A quiescence search (https://www.chessprogramming.org/Quiescence_Search) that counts material.

Both sides capture and check, and may stop wherever they are not in check: a quiet move would give
the opponent a free move against the threats. In check every reply is searched. So the gain can be
enforced: the defender may escape, recapture, capture elsewhere, or check in between and mate.
"""

from xiangqi.core.moves.attacks cimport BANK
from xiangqi.core.moves.bitboard cimport (
    Bitboard, any_of, bb_empty, bit, has, pop_lsb, union, without,
)
from xiangqi.core.moves.defs cimport (
    ADVISOR, BISHOP, CANNON, KING, KINDS, KNIGHT, MAX_MOVES, NO_PIECE, PAWN, ROOK, SQUARES,
    color_of, encode_move, from_square, kind_of, to_square,
)
from xiangqi.core.moves.movegen cimport (
    MoveList, generate_captures, generate_evasions, generate_quiets, is_check, unveiling_squares,
)
from xiangqi.core.moves.position cimport (
    Undo, all_pieces, attackers_to, checkers, make, unmake,
)

cdef enum:
    EVEN = 20  # smaller scores are even

cdef int[KINDS] WORTH  # in halves of a horse; soldiers have accounts of their own
WORTH[ADVISOR] = WORTH[BISHOP] = 1
WORTH[KNIGHT] = WORTH[CANNON] = 2
WORTH[ROOK] = 4

cdef struct Trace:  # facts of the line so far
    int used             # square of the attacker's last moved piece; SQUARES if it was captured
    int crossed          # square of a soldier that just crossed the river; SQUARES for none
    int taken            # square of the last move's capture; SQUARES for a quiet move
    int first            # square of the attacker's first capture; SQUARES if there is none
    Bitboard moved       # squares of the attacker's pieces that moved in the line
    Bitboard aims        # the search's aims, followed through moves; empty once one is captured


cdef int gain_score(Account won) noexcept nogil:
    """An account as one number, 100 for half a horse; strictly between -20 and 20 it is even.

    Crossed soldiers have a floating value: any number of them is even with other pieces worth less
    than a chariot, and less than pieces worth a chariot or more.
    """
    cdef int pieces = won.pieces
    cdef int soldiers = won.soldiers
    cdef int sign = 1
    if pieces < 0 or (pieces == 0 and soldiers < 0):
        pieces, soldiers, sign = -pieces, -soldiers, -1
    if soldiers >= 0:
        return sign * (100 * pieces + 30 * soldiers)
    if pieces < WORTH[ROOK]:
        return sign * pieces
    return sign * max(100 * pieces + 60 * soldiers, 30)


cdef int outcome(const GainSearch* search, const Trace* trace) noexcept nogil:
    """Score of a finished line for the attacker; nothing is won unless an aim was captured.

    An even score becomes REPAID if the exchange itself wins but the gain is lost elsewhere, or
    FLOATED if more pieces were won than lost, and only soldiers make up for them.
    """
    cdef int score = gain_score(search.total)
    if -EVEN < score < EVEN and gain_score(search.exchange) >= EVEN:
        score = FLOATED if search.total.pieces > 0 else REPAID
    return min(score, 0) if any_of(trace.aims) else score


cdef int find_gain(GainSearch* search, Move move, int alpha, int beta) noexcept nogil:
    """The attacker's score if it begins with this legal move; ``line[0]`` is the line.

    A score of at most ``alpha`` is an upper bound, one of at least ``beta`` a lower bound.
    """
    cdef Trace trace
    cdef int score
    trace.used = trace.crossed = trace.taken = trace.first = SQUARES
    trace.moved = bb_empty()
    trace.aims = search.aims
    search.total.pieces = search.total.soldiers = 0
    search.exchange = search.total
    score = play(search, move, 0, alpha, beta, trace)
    keep_line(search, 0, move)
    return score


cdef int play(
    GainSearch* search, Move move, int ply, int alpha, int beta, Trace trace
) noexcept nogil:
    """Score of a move for the side that makes it."""
    cdef Position* pos = &search.pos
    cdef Account total = search.total
    cdef Account exchange = search.exchange
    cdef Undo undo
    cdef int score
    enter_capture(search, move, &trace)
    follow(search, move, &trace)
    make(pos, move, &undo)
    search.nodes += 1
    score = -quiesce(search, ply + 1, -beta, -alpha, trace)
    unmake(pos, &undo)
    search.total = total
    search.exchange = exchange
    return score


cdef void enter_capture(GainSearch* search, Move move, const Trace* trace) noexcept nogil:
    """Add a move's capture to the accounts. A soldier counts nothing before it has crossed the
    river, and as the reply to its crossing.

    The exchange has the attacker's losses of pieces that moved in the line. A soldier that is lost
    once the exchange has won something is lost elsewhere, unless it is taken where it captured.
    """
    cdef int target = to_square(move)
    cdef int captured = search.pos.board[target]
    cdef int sign = 1 if search.pos.turn == search.attacker else -1
    cdef bint in_exchange = sign > 0 or has(trace.moved, target)
    cdef Account worth
    worth.pieces = worth.soldiers = 0
    if kind_of(captured) != PAWN:
        worth.pieces = WORTH[kind_of(captured)]
    elif target != trace.crossed and not has(BANK[color_of(captured)], target):
        worth.soldiers = 1
        if sign < 0 and target != trace.taken and gain_score(search.exchange) >= EVEN:
            in_exchange = False
    add(&search.total, worth, sign)
    if in_exchange:
        add(&search.exchange, worth, sign)


cdef void add(Account* account, Account worth, int sign) noexcept nogil:
    account.pieces += sign * worth.pieces
    account.soldiers += sign * worth.soldiers


cdef void follow(const GainSearch* search, Move move, Trace* trace) noexcept nogil:
    """Update the trace for a move about to be made."""
    cdef const Position* pos = &search.pos
    cdef int origin = from_square(move)
    cdef int target = to_square(move)
    cdef bint captures = pos.board[target] != NO_PIECE
    cdef bint crosses = (
        kind_of(pos.board[origin]) == PAWN
        and has(BANK[pos.turn], origin) and not has(BANK[pos.turn], target)
    )
    if pos.turn == search.attacker:
        trace.used = target
        trace.moved = union(without(trace.moved, bit(origin)), bit(target))
        if has(trace.aims, target):
            trace.aims = bb_empty()
        if captures and trace.first == SQUARES:
            trace.first = target
    else:
        if trace.used == target:
            trace.used = SQUARES
        trace.moved = without(trace.moved, bit(target))
        if has(trace.aims, origin):
            trace.aims = union(without(trace.aims, bit(origin)), bit(target))
    trace.crossed = target if crosses else SQUARES
    trace.taken = target if captures else SQUARES


cdef int quiesce(
    GainSearch* search, int ply, int alpha, int beta, Trace trace
) noexcept nogil:
    """The best score of the side to move, fail-soft."""
    cdef Position* pos = &search.pos
    cdef bint attacking = pos.turn == search.attacker
    cdef int best = outcome(search, &trace)
    cdef Bitboard checking = checkers(pos, pos.turn)
    cdef bint in_check = any_of(checking)
    cdef bint must_reply = in_check and not search.local
    cdef MoveList moves
    cdef int i, score
    cdef int taken_back = -MATED
    search.length[ply] = ply
    search.stopped |= search.nodes >= search.limit
    if not attacking:
        taken_back = take_back(search, &trace)
        best = max(-best, taken_back)
        if search.alone and not has(checking, trace.used):
            must_reply = False  # another piece gives the check
    if search.stopped or ply >= search.plies or (best >= beta and not must_reply):
        return best
    if must_reply:
        best = max(ply - MATED, taken_back)
    list_moves(search, ply, in_check, &moves)
    for i in range(moves.count):
        if not must_reply and not is_counted(search, moves.moves[i], &trace):
            continue
        score = play(search, moves.moves[i], ply, max(alpha, best), beta, trace)
        if score > best:
            best = score
            keep_line(search, ply, moves.moves[i])
            if best >= beta:
                break
    return best


cdef int take_back(GainSearch* search, const Trace* trace) noexcept nogil:
    """The defender's score if the piece that wins alone is taken back where it has just captured,
    by a root that only another attacking piece pins; the lowest score if there is no such root.

    So a piece does not win alone what falls because another one pins the roots.
    """
    cdef Position* pos = &search.pos
    cdef Account total = search.total
    cdef Account exchange = search.exchange
    cdef Bitboard roots, pinners
    cdef Undo undo
    cdef Move move
    cdef int score = -MATED
    cdef bint is_pinned
    if not search.alone or search.local or trace.taken == SQUARES or trace.taken != trace.used:
        return score
    roots = attackers_to(pos, trace.taken, pos.turn, all_pieces(pos))
    roots = without(roots, bit(pos.king[pos.turn]))
    while any_of(roots) and score == -MATED:
        move = encode_move(pop_lsb(&roots), trace.taken)
        make(pos, move, &undo)
        pinners = without(checkers(pos, pos.turn ^ 1), bit(pos.king[pos.turn]))
        is_pinned = any_of(pinners)
        unmake(pos, &undo)
        if is_pinned:
            enter_capture(search, move, trace)
            score = -outcome(search, trace)
            search.total = total
            search.exchange = exchange
    return score


cdef void list_moves(
    const GainSearch* search, int ply, bint in_check, MoveList* moves
) noexcept nogil:
    """Generate all replies in check, else captures and, near the root, all checks."""
    cdef const Position* pos = &search.pos
    cdef Bitboard unveiling
    cdef MoveList quiets
    cdef int i
    if in_check:
        generate_evasions(pos, moves)
    else:
        generate_captures(pos, moves)
        if ply < search.check_plies and not search.local:
            unveiling = unveiling_squares(pos)
            generate_quiets(pos, &quiets)
            for i in range(quiets.count):
                if is_check(pos, quiets.moves[i], unveiling):
                    moves.moves[moves.count] = quiets.moves[i]
                    moves.count += 1
    order(pos, moves)


cdef bint is_counted(const GainSearch* search, Move move, const Trace* trace) noexcept nogil:
    """Is this move searched? The attacker's king and soldiers do not capture, except that both may
    recapture, the king only on the square of the first capture."""
    cdef const Position* pos = &search.pos
    cdef int origin = from_square(move)
    cdef int target = to_square(move)
    cdef int kind = kind_of(pos.board[origin])
    cdef int i
    if search.local and target != trace.taken:
        return False
    if pos.turn != search.attacker:
        return True
    if origin == search.idle or (search.alone and origin != trace.used):
        return False
    if pos.board[target] != NO_PIECE:
        if (kind == KING or kind == PAWN) and target != trace.taken:
            return False
        if kind == KING and target != trace.first:
            return False
    for i in range(search.banned_count):
        if search.banned[i] == move:
            return False
    return True


cdef void order(const Position* pos, MoveList* moves) noexcept nogil:
    """Sort the most valuable victims first, then the least valuable attackers; stable."""
    cdef int[MAX_MOVES] keys
    cdef int i, j, key
    cdef Move move
    for i in range(moves.count):
        move = moves.moves[i]
        key = 8 * WORTH[kind_of(pos.board[to_square(move)])]
        key -= WORTH[kind_of(pos.board[from_square(move)])]
        j = i
        while j > 0 and keys[j - 1] < key:
            keys[j] = keys[j - 1]
            moves.moves[j] = moves.moves[j - 1]
            j -= 1
        keys[j] = key
        moves.moves[j] = move


cdef void keep_line(GainSearch* search, int ply, Move move) noexcept nogil:
    """Store the line from here: this move and the line after it."""
    cdef int i
    search.line[ply][ply] = move
    search.length[ply] = search.length[ply + 1]
    for i in range(ply + 1, search.length[ply]):
        search.line[ply][i] = search.line[ply + 1][i]
