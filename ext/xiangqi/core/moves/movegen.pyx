"""Legal move generation: king safety is computed once for a position, outwards from the king.

Most moves cannot affect the safety of their own king. Looking outwards from the king along its
lines and horse jumps, ``find_king_safety`` finds the few pieces whose moves can (those on a line
with an enemy chariot, cannon or king at the right distance, and blocked horse legs) and the few
empty squares whose occupation can (between the king and a bare cannon). Every other pseudo-legal
move is legal; these are played on a copy and tested.

No position with a legal number of pieces has more than MAX_MOVES moves: two rooks and two
cannons have at most 17 each, two horses 8, two elephants 4, two advisors 4, five soldiers 3
and the king 4, that is 119.
"""

from xiangqi.core.moves.attacks cimport (
    ADVISOR_TO, BETWEEN, FILE_OF, KING_TO, KING_ZONE, KNIGHT_FROM, KNIGHT_LEG, PAWN_FROM, PAWN_TO,
    Line, attacks_of, bishop_attacks, file_line, knight_attackers, knight_attacks, on_file, on_rank,
    rank_line,
)
from xiangqi.core.moves.bitboard cimport (
    any_of, bb_empty, bit, common, has, pop_lsb, popcount, union, without,
)
from xiangqi.core.moves.defs cimport (
    ADVISOR, BISHOP, CANNON, KING, KNIGHT, NO_PIECE, PAWN, ROOK, SQUARES, color_of,
    from_square, kind_of, encode_move, to_square, uint64_t,
)
from xiangqi.core.moves.position cimport all_pieces, is_safe_after, king_attackers, pieces
from xiangqi.core.system.bits cimport ensure

cdef Bitboard EVERYWHERE
EVERYWHERE.low = EVERYWHERE.high = (<uint64_t>1 << 45) - 1


cdef KingSafety find_king_safety(const Position* pos, int us) noexcept nogil:
    """Checkers of this side's king, and the constraints on this side's moves."""
    cdef KingSafety safety
    cdef int king = pos.king[us]
    cdef int square, leg
    cdef Bitboard occupied = all_pieces(pos)
    cdef Bitboard enemies = pos.by_color[us ^ 1]
    cdef Bitboard rooks = common(enemies, pos.by_kind[ROOK])
    cdef Bitboard cannons = common(enemies, pos.by_kind[CANNON])
    cdef Bitboard knights = common(
        common(enemies, pos.by_kind[KNIGHT]), KNIGHT_FROM[king][0]
    )
    cdef Line rank = rank_line(king, occupied)
    cdef Line file = file_line(king, occupied)
    cdef int king_file = FILE_OF[king]
    cdef Bitboard nearest = union(on_rank(rank.slide, king), on_file(file.slide, king_file))
    cdef Bitboard second = union(on_rank(rank.second, king), on_file(file.second, king_file))
    cdef Bitboard third = union(on_rank(rank.third, king), on_file(file.third, king_file))
    cdef Bitboard behind_one, bare, jumpers

    jumpers = common(knights, knight_attackers(king, occupied))
    safety.checkers = union(
        union(common(nearest, rooks), common(second, cannons)),
        union(jumpers, common(PAWN_FROM[us ^ 1][king], common(enemies, pos.by_kind[PAWN]))),
    )
    safety.held = bb_empty()
    safety.mounts = bb_empty()

    # Pinning sliders: a rook or the enemy king behind one piece, a cannon behind two, or a cannon
    # that checks over one.
    behind_one = union(
        common(second, union(rooks, cannons)),
        common(on_file(file.second, king_file), bit(pos.king[us ^ 1])),
    )
    behind_one = union(behind_one, common(third, cannons))
    while any_of(behind_one):
        square = pop_lsb(&behind_one)
        safety.held = union(safety.held, common(BETWEEN[king][square], occupied))
    bare = common(nearest, cannons)
    while any_of(bare):
        square = pop_lsb(&bare)
        safety.mounts = union(safety.mounts, BETWEEN[king][square])
    knights = without(knights, jumpers)
    while any_of(knights):
        leg = KNIGHT_LEG[pop_lsb(&knights)][king]
        safety.held = union(safety.held, bit(leg))
    if any_of(safety.checkers):
        safety.answers = find_answers(pos, king, occupied, safety.checkers)
    else:
        safety.answers = EVERYWHERE
    return safety


cdef Bitboard find_answers(
    const Position* pos, int king, Bitboard occupied, Bitboard checkers
) noexcept nogil:
    """Squares on which a move captures or blocks every checker at once."""
    cdef Bitboard answers = EVERYWHERE
    cdef int square, kind
    cdef Bitboard against
    while any_of(checkers):
        square = pop_lsb(&checkers)
        kind = kind_of(pos.board[square])
        against = bit(square)
        if kind == ROOK or kind == CANNON:
            against = union(against, without(BETWEEN[king][square], occupied))
        elif kind == KNIGHT:
            against = union(against, bit(KNIGHT_LEG[square][king]))
        answers = common(answers, against)
    return answers


cdef Bitboard test_each(const Position* pos, int origin, Bitboard targets) noexcept nogil:
    """Targets that leave the own king safe; each move is played on a copy and tested."""
    cdef Bitboard safe = bb_empty()
    cdef int target
    while any_of(targets):
        target = pop_lsb(&targets)
        if is_safe_after(pos, pos.turn, encode_move(origin, target)):
            safe = union(safe, bit(target))
    return safe


cdef inline void add_set(int origin, Bitboard targets, MoveSets* sets) noexcept nogil:
    """Add a piece's legal moves, if it has any."""
    if any_of(targets):
        sets.origin[sets.count] = origin
        sets.targets[sets.count] = targets
        sets.count += 1


cdef inline void add_moves(
    const Position* pos, const KingSafety* safety, int origin, Bitboard targets, MoveSets* sets
) noexcept nogil:
    """Add the legal moves among the pseudo-legal targets of a piece other than the king."""
    if has(safety.held, origin):
        targets = test_each(pos, origin, targets)
    elif any_of(safety.checkers):
        targets = test_each(pos, origin, common(targets, safety.answers))
    else:
        targets = without(targets, safety.mounts)
    add_set(origin, targets, sets)


cdef inline Bitboard line_targets(
    int square, Bitboard occupied, Bitboard enemies, bint over_screen
) noexcept nogil:
    """Pseudo-legal targets of a chariot or, ``over_screen``, of a cannon."""
    cdef Line rank = rank_line(square, occupied)
    cdef Line file = file_line(square, occupied)
    cdef int own_file = FILE_OF[square]
    cdef Bitboard slide = union(on_rank(rank.slide, square), on_file(file.slide, own_file))
    cdef Bitboard hit = slide
    if over_screen:
        hit = union(on_rank(rank.second, square), on_file(file.second, own_file))
    return union(without(slide, occupied), common(hit, enemies))


cdef inline Bitboard targets_of(
    int kind, int square, int us, Bitboard occupied, Bitboard enemies
) noexcept nogil:
    """Targets of a piece other than the king; squares of its own side may be among them."""
    if kind == ROOK or kind == CANNON:
        return line_targets(square, occupied, enemies, kind == CANNON)
    if kind == KNIGHT:
        return knight_attacks(square, occupied)
    if kind == PAWN:
        return PAWN_TO[us][square]
    if kind == BISHOP:
        return bishop_attacks(square, occupied)
    return ADVISOR_TO[square]


cdef inline void find_moves_of(
    int kind, const Position* pos, const KingSafety* safety, Bitboard occupied, Bitboard allowed,
    MoveSets* sets,
) noexcept nogil:
    """Add the legal moves of all pieces of a kind other than king to squares in ``allowed``, which
    has no pieces of their own side."""
    cdef int us = pos.turn
    cdef int square
    cdef Bitboard enemies = pos.by_color[us ^ 1]
    cdef Bitboard movers = pieces(pos, us, kind)
    cdef Bitboard targets
    while any_of(movers):
        square = pop_lsb(&movers)
        targets = targets_of(kind, square, us, occupied, enemies)
        add_moves(pos, safety, square, common(targets, allowed), sets)


cdef inline void find_king_moves(
    const Position* pos, Bitboard allowed, MoveSets* sets
) noexcept nogil:
    cdef int king = pos.king[pos.turn]
    add_set(king, test_each(pos, king, common(KING_TO[king], allowed)), sets)


cdef void find_moves(const Position* pos, Bitboard allowed, MoveSets* sets) noexcept nogil:
    """All legal moves to squares in ``allowed``, piece by piece."""
    cdef KingSafety safety = find_king_safety(pos, pos.turn)
    cdef Bitboard occupied = all_pieces(pos)
    allowed = without(allowed, pos.by_color[pos.turn])
    sets.count = 0
    find_moves_of(ROOK, pos, &safety, occupied, allowed, sets)
    find_moves_of(CANNON, pos, &safety, occupied, allowed, sets)
    find_moves_of(KNIGHT, pos, &safety, occupied, allowed, sets)
    find_moves_of(PAWN, pos, &safety, occupied, allowed, sets)
    find_moves_of(BISHOP, pos, &safety, occupied, allowed, sets)
    find_moves_of(ADVISOR, pos, &safety, occupied, allowed, sets)
    find_king_moves(pos, allowed, sets)


cdef void append_moves(const MoveSets* sets, MoveList* moves) noexcept nogil:
    cdef int i
    cdef Bitboard targets
    for i in range(sets.count):
        targets = sets.targets[i]
        while any_of(targets):
            ensure(moves.count < MAX_MOVES)
            moves.moves[moves.count] = encode_move(sets.origin[i], pop_lsb(&targets))
            moves.count += 1


cdef void generate(const Position* pos, Bitboard allowed, MoveList* moves) noexcept nogil:
    cdef MoveSets sets
    find_moves(pos, allowed, &sets)
    moves.count = 0
    append_moves(&sets, moves)


cdef void generate_captures(const Position* pos, MoveList* moves) noexcept nogil:
    generate(pos, pos.by_color[pos.turn ^ 1], moves)


cdef void generate_quiets(const Position* pos, MoveList* moves) noexcept nogil:
    generate(pos, without(EVERYWHERE, all_pieces(pos)), moves)


cdef void generate_evasions(const Position* pos, MoveList* moves) noexcept nogil:
    """All legal moves when the side to move is in check: captures and quiets alike."""
    ensure(any_of(find_king_safety(pos, pos.turn).checkers))
    generate(pos, EVERYWHERE, moves)


cdef void generate_legal(const Position* pos, MoveList* moves) noexcept nogil:
    generate(pos, EVERYWHERE, moves)


cdef int count_legal(const Position* pos) noexcept nogil:
    """The number of legal moves, counted in sets without listing them."""
    cdef MoveSets sets
    cdef int i
    cdef int count = 0
    find_moves(pos, EVERYWHERE, &sets)
    for i in range(sets.count):
        count += popcount(sets.targets[i])
    return count


cdef bint has_legal_move(const Position* pos) noexcept nogil:
    """Is there a legal move? Stops at the first piece type that has one."""
    cdef KingSafety safety = find_king_safety(pos, pos.turn)
    cdef Bitboard occupied = all_pieces(pos)
    cdef Bitboard allowed = without(EVERYWHERE, pos.by_color[pos.turn])
    cdef MoveSets sets
    cdef int kind
    sets.count = 0
    for kind in range(PAWN, KING, -1):
        find_moves_of(kind, pos, &safety, occupied, allowed, &sets)
        if sets.count:
            return True
    find_king_moves(pos, allowed, &sets)
    return sets.count > 0


cdef Bitboard pseudo_targets(const Position* pos, int square) noexcept nogil:
    """Pseudo-legal targets of the piece on ``square``."""
    cdef int piece = pos.board[square]
    cdef int color = color_of(piece)
    cdef Bitboard occupied = all_pieces(pos)
    cdef int kind = kind_of(piece)
    if kind == ROOK or kind == CANNON:
        return line_targets(square, occupied, pos.by_color[color ^ 1], kind == CANNON)
    return without(attacks_of(piece, square, occupied), pos.by_color[color])


cdef bint is_pseudo_legal(const Position* pos, int move) noexcept nogil:
    """Is the move pseudo-legal? ``move`` may be any number."""
    cdef int origin = from_square(move)
    cdef int target = to_square(move)
    cdef int piece
    if move < 0 or origin >= SQUARES or target >= SQUARES:
        return False
    piece = pos.board[origin]
    if piece == NO_PIECE or color_of(piece) != pos.turn:
        return False
    return has(pseudo_targets(pos, origin), target)


cdef bint is_legal(const Position* pos, int move) noexcept nogil:
    """Is the move legal? ``move`` may be any number."""
    return is_pseudo_legal(pos, move) and is_safe_after(pos, pos.turn, move)


cdef bint gives_check(const Position* pos, Move move) noexcept nogil:
    """Does this legal move give check, directly or by discovery?"""
    return is_check(pos, move, EVERYWHERE)


cdef Bitboard unveiling_squares(const Position* pos) noexcept nogil:
    """Squares on which a move must begin or end to discover a check."""
    cdef KingSafety safety = find_king_safety(pos, pos.turn ^ 1)
    return union(safety.held, safety.mounts)


cdef bint is_check(const Position* pos, Move move, Bitboard unveiling) noexcept nogil:
    """:func:`gives_check` for many moves of one position: given its :func:`unveiling_squares`, few
    moves need a look at the king's lines."""
    cdef int us = pos.turn
    cdef int origin = from_square(move)
    cdef int target = to_square(move)
    cdef int king = pos.king[us ^ 1]
    cdef Bitboard occupied
    if not (has(KING_ZONE[king], origin) or has(KING_ZONE[king], target)):
        return False
    occupied = union(without(all_pieces(pos), bit(origin)), bit(target))
    if has(attacks_of(pos.board[origin], target, occupied), king):
        return True
    if not (has(unveiling, origin) or has(unveiling, target)):
        return False
    return any_of(
        king_attackers(pos, king, us ^ 1, occupied, without(pos.by_color[us], bit(origin)))
    )
