"""The terms, the taper between middlegame and endgame, and the trace.

A term enters the sum only through ``term``, which also adds its count to a trace: the tuner fits
exactly the terms that the search uses.
"""

from libc.string cimport memset

from xiangqi.core.evaluation.scores cimport MAX_VALUE
from xiangqi.core.evaluation.term_weights cimport *
from xiangqi.core.moves.attacks cimport (
    ADVISOR_TO, BANK, BETWEEN, FILE_A, FILE_LINE, FILE_OF, KING_TO, PALACE, RANK_LINE, RANK_OF,
    Line, bishop_attacks, file_line, file_pieces, knight_attacks, on_file, on_rank, rank_line,
    rank_pieces, rook_attacks,
)
from xiangqi.core.moves.bitboard cimport (
    Bitboard, any_of, bb, bb_empty, common, meet, pop_lsb, popcount, union, without,
)
from xiangqi.core.moves.defs cimport (
    ADVISOR, BISHOP, BLACK, CANNON, FILES, HALF, KNIGHT, NO_PIECE, PAWN, RANKS, RED, ROOK, SQUARES,
    color_of, from_square, kind_of, make_piece, to_square, uint16_t, uint64_t,
)
from xiangqi.core.moves.position cimport all_pieces, pieces

cdef enum:
    RIB_LEFT = 3          # the outer files of the palace
    RIB_RIGHT = 5
    ROOK_PHASE = 4
    MINOR_PHASE = 2       # of a horse or a cannon
    FULL_GUARD = 2        # advisors, and elephants, of a side at the start
    FULL_GUARDS = 4       # both together
    PAIR_CASES = 3        # a side has none, one or two of a piece
    CANNON_CASES = 3      # how many of the two pieces in between are the king's own
    ROOK_CASES = 2        # the same for one piece in between
    RANK_PATTERNS = 1 << FILES
    FILE_PATTERNS = 1 << RANKS

cdef enum:  # Attack units: weight of an attacker of the palace, added to its squares there
    ROOK_UNITS = 3
    KNIGHT_UNITS = 2
    CANNON_UNITS = 2
    PAWN_UNITS = 2
    BROKEN_GUARD_UNITS = 1  # for each advisor or elephant missing, once two pieces attack
    MAX_UNITS = 31

cdef enum:  # Scales for endings in which the side ahead has too little to win
    NO_ATTACKER_SCALE = 0
    HOPELESS_SCALE = 4
    HARD_SCALE = 16
    PIECE_DEFENCE = 2       # a defending chariot, horse or cannon counts as two guards

cdef uint64_t HALF_MASK = ((<uint64_t>1) << HALF) - 1
cdef uint64_t FILE_I = <uint64_t>FILE_A << (FILES - 1)

cdef uint16_t[FILES][RANK_PATTERNS] RANK_BEYOND   # behind the first piece, up to the second
cdef uint16_t[RANKS][FILE_PATTERNS] FILE_BEYOND

cdef struct Reach:           # what one side's pieces attack (or protect)
    Bitboard by_pawns
    Bitboard by_minors       # horses and cannons
    Bitboard by_all
    int attackers            # pieces that reach into the enemy palace
    int units

cdef struct Scene:           # facts of a position, used by several terms
    Bitboard occupied
    const int64_t* weights
    int* trace[2]            # [color]: how often each weight counts, or NULL
    Reach reach[2]


# Tables of the cannon


cdef void fill_beyond() noexcept nogil:
    """Squares that a cannon attacks over its screen: slides with the screens removed."""
    cdef int place, line, screens
    for place in range(FILES):
        for line in range(RANK_PATTERNS):
            screens = RANK_LINE[place][line].slide & line
            RANK_BEYOND[place][line] = (
                RANK_LINE[place][line & ~screens].slide & ~RANK_LINE[place][line].slide
            )
    for place in range(RANKS):
        for line in range(FILE_PATTERNS):
            screens = FILE_LINE[place][line].slide & line
            FILE_BEYOND[place][line] = (
                FILE_LINE[place][line & ~screens].slide & ~FILE_LINE[place][line].slide
            )


# Incremental part


cdef void terms_reset(TermState* state, const Position* pos) noexcept nogil:
    """Start from a new position."""
    cdef int square
    state.piece_squares = 0
    memset(state.count, 0, sizeof(state.count))
    for square in range(SQUARES):
        state.piece_squares += state.weights.piece_square[pos.board[square]][square]
        state.count[pos.board[square]] += 1
    state.count[NO_PIECE] = 0


cdef inline int64_t change_of(
    const TermState* state, int piece, int origin, int target, int captured
) noexcept nogil:
    """Change of the piece-square values by a move."""
    return (
        state.weights.piece_square[piece][target] - state.weights.piece_square[piece][origin]
        - state.weights.piece_square[captured][target]
    )


cdef void terms_make(TermState* state, const Position* pos, const Undo* undo) noexcept nogil:
    """Update for a move that has been made."""
    cdef int origin = from_square(undo.move)
    cdef int target = to_square(undo.move)
    state.piece_squares += change_of(state, pos.board[target], origin, target, undo.captured)
    state.count[undo.captured] -= undo.captured != NO_PIECE


cdef void terms_unmake(TermState* state, const Position* pos, const Undo* undo) noexcept nogil:
    """Update for a move that has been unmade."""
    cdef int origin = from_square(undo.move)
    cdef int target = to_square(undo.move)
    state.piece_squares -= change_of(state, pos.board[origin], origin, target, undo.captured)
    state.count[undo.captured] += undo.captured != NO_PIECE


# Terms, one side at a time


cdef inline int64_t term(Scene* scene, int color, int index, int count) noexcept nogil:
    """Value of a term with its count for a side."""
    if scene.trace[color] != NULL:
        scene.trace[color][index] += count
    return scene.weights[index] * count


cdef inline Bitboard palace_of(int color) noexcept nogil:
    """The nine points of one palace."""
    return bb(PALACE.low, 0) if color == RED else bb(0, PALACE.high)


cdef inline uint64_t sideways(uint64_t word) noexcept nogil:
    """Squares one step left and right, within one bank."""
    return ((word & ~FILE_I) << 1) | ((word & ~<uint64_t>FILE_A) >> 1)


cdef inline Bitboard pawn_attacks(int color, Bitboard pawns) noexcept nogil:
    """All steps of a side's soldiers: forward, and sideways across the river."""
    if color == RED:
        return bb(
            (pawns.low << FILES) & HALF_MASK,
            ((pawns.high << FILES) & HALF_MASK) | (pawns.low >> (HALF - FILES))
            | sideways(pawns.high),
        )
    return bb(
        (pawns.low >> FILES) | ((pawns.high << (HALF - FILES)) & HALF_MASK)
        | sideways(pawns.low),
        pawns.high >> FILES,
    )


cdef inline Bitboard cannon_range(int square, Bitboard occupied) noexcept nogil:
    """Squares on which a cannon could capture: behind one screen, up to the next piece."""
    cdef int file = FILE_OF[square]
    return union(
        on_rank(RANK_BEYOND[file][rank_pieces(occupied, square)], square),
        on_file(FILE_BEYOND[RANK_OF[square]][file_pieces(occupied, file)], file),
    )


cdef inline void note_attacks(
    Reach* reach, Bitboard attacks, Bitboard palace, int units
) noexcept nogil:
    """Record the attacked squares of a piece; those in the enemy palace add attack units."""
    cdef Bitboard inside = common(attacks, palace)
    reach.by_all = union(reach.by_all, attacks)
    if any_of(inside):
        reach.attackers += 1
        reach.units += units + popcount(inside)


cdef inline bint on_this_file(Bitboard set, int file) noexcept nogil:
    """Does the set hold a square of the file?"""
    return (((set.low | set.high) >> file) & <uint64_t>FILE_A) != 0


cdef inline int64_t rook_terms(
    const Position* pos, Scene* scene, int us, Bitboard area
) noexcept nogil:
    """Chariots: mobility, open files, the palace's ribs, protecting each other."""
    cdef int64_t value = 0
    cdef Bitboard palace = palace_of(us ^ 1)
    cdef Bitboard rooks = pieces(pos, us, ROOK)
    cdef Bitboard left = rooks
    cdef Bitboard attacks
    cdef int square, file
    cdef bint barred
    while any_of(left):
        square = pop_lsb(&left)
        file = FILE_OF[square]
        attacks = rook_attacks(square, scene.occupied)
        note_attacks(&scene.reach[us], attacks, palace, ROOK_UNITS)
        value += term(scene, us, ROOK_MOBILITY + popcount(common(attacks, area)), 1)
        if not on_this_file(pieces(pos, us, PAWN), file):
            barred = on_this_file(pieces(pos, us ^ 1, PAWN), file)
            value += term(scene, us, ROOK_OPEN_FILE + barred, 1)
        if (file == RIB_LEFT or file == RIB_RIGHT) and meet(attacks, palace):
            value += term(scene, us, ROOK_ON_RIB, 1)
        if meet(attacks, rooks):
            value += term(scene, us, LINKED + ROOK - 1, 1)
    return value


cdef inline int64_t cannon_terms(
    const Position* pos, Scene* scene, int us, Bitboard area
) noexcept nogil:
    """Cannons: mobility with captures, batteries."""
    cdef int64_t value = 0
    cdef Reach* reach = &scene.reach[us]
    cdef Bitboard palace = palace_of(us ^ 1)
    cdef Bitboard cannons = pieces(pos, us, CANNON)
    cdef Bitboard left = cannons
    cdef Bitboard attacks, targets
    cdef int square
    while any_of(left):
        square = pop_lsb(&left)
        attacks = cannon_range(square, scene.occupied)
        note_attacks(reach, attacks, palace, CANNON_UNITS)
        reach.by_minors = union(reach.by_minors, attacks)
        targets = without(rook_attacks(square, scene.occupied), scene.occupied)
        targets = union(targets, common(attacks, pos.by_color[us ^ 1]))
        value += term(scene, us, CANNON_MOBILITY + popcount(common(targets, area)), 1)
        if meet(attacks, cannons):
            value += term(scene, us, LINKED + CANNON - 1, 1)
    return value


cdef inline int64_t knight_terms(
    const Position* pos, Scene* scene, int us, Bitboard area
) noexcept nogil:
    """Horses: mobility (blocked legs, traps), protecting each other."""
    cdef int64_t value = 0
    cdef Reach* reach = &scene.reach[us]
    cdef Bitboard palace = palace_of(us ^ 1)
    cdef Bitboard knights = pieces(pos, us, KNIGHT)
    cdef Bitboard left = knights
    cdef Bitboard attacks
    while any_of(left):
        attacks = knight_attacks(pop_lsb(&left), scene.occupied)
        note_attacks(reach, attacks, palace, KNIGHT_UNITS)
        reach.by_minors = union(reach.by_minors, attacks)
        value += term(scene, us, KNIGHT_MOBILITY + popcount(common(attacks, area)), 1)
        if meet(attacks, knights):
            value += term(scene, us, LINKED + KNIGHT - 1, 1)
    return value


cdef inline int64_t pawn_terms(const Position* pos, Scene* scene, int us) noexcept nogil:
    """Soldiers: side by side across the river; their attacks on the palace."""
    cdef Reach* reach = &scene.reach[us]
    cdef Bitboard inside = common(reach.by_pawns, palace_of(us ^ 1))
    cdef Bitboard pawns = pieces(pos, us, PAWN)
    cdef uint64_t crossed = pawns.high if us == RED else pawns.low
    reach.by_all = union(reach.by_all, reach.by_pawns)
    if any_of(inside):
        reach.attackers += 1
        reach.units += PAWN_UNITS + popcount(inside)
    crossed &= (crossed & ~FILE_I) << 1
    if crossed:
        return term(scene, us, LINKED + PAWN - 1, popcount(bb(crossed, 0)))
    return 0


cdef inline int64_t guard_terms(const Position* pos, Scene* scene, int us) noexcept nogil:
    """Advisors and elephants: protecting each other; their attacks and the king's."""
    cdef int64_t value = 0
    cdef Reach* reach = &scene.reach[us]
    cdef Bitboard guards = pieces(pos, us, ADVISOR)
    cdef Bitboard left = guards
    cdef Bitboard attacks
    reach.by_all = union(reach.by_all, KING_TO[pos.king[us]])
    while any_of(left):
        attacks = ADVISOR_TO[pop_lsb(&left)]
        reach.by_all = union(reach.by_all, attacks)
        if meet(attacks, guards):
            value += term(scene, us, LINKED + ADVISOR - 1, 1)
    guards = pieces(pos, us, BISHOP)
    left = guards
    while any_of(left):
        attacks = bishop_attacks(pop_lsb(&left), scene.occupied)
        reach.by_all = union(reach.by_all, attacks)
        if meet(attacks, guards):
            value += term(scene, us, LINKED + BISHOP - 1, 1)
    return value


cdef inline int64_t line_to_king_terms(
    const Position* pos, const TermState* state, Scene* scene, int us,
    Bitboard slide, Bitboard second, Bitboard third, bint file
) noexcept nogil:
    """Pieces aimed at our king: bare cannons, cannons behind two pieces, chariots behind one."""
    cdef int64_t value = 0
    cdef Bitboard cannons = pieces(pos, us ^ 1, CANNON)
    cdef int king = pos.king[us]
    cdef Bitboard found, between
    if meet(slide, cannons):
        value += term(scene, us ^ 1, BARE_CANNON + file, 1)
        value += term(scene, us ^ 1, BARE_CANNON_ROOKS, state.count[make_piece(us ^ 1, ROOK)])
    found = common(third, cannons)
    while any_of(found):
        between = common(BETWEEN[king][pop_lsb(&found)], pos.by_color[us])
        value += term(scene, us ^ 1, CANNON_BEHIND_TWO + CANNON_CASES * file + popcount(between), 1)
    found = common(second, pieces(pos, us ^ 1, ROOK))
    while any_of(found):
        between = common(BETWEEN[king][pop_lsb(&found)], pos.by_color[us])
        value += term(scene, us ^ 1, ROOK_BEHIND_ONE + ROOK_CASES * file + any_of(between), 1)
    return value


cdef inline int64_t king_terms(
    const Position* pos, const TermState* state, Scene* scene, int us
) noexcept nogil:
    """Our king: the open file it commands, minus attackers on its lines and its danger."""
    cdef int king = pos.king[us]
    cdef int own_file = FILE_OF[king]
    cdef Line rank = rank_line(king, scene.occupied)
    cdef Line file = file_line(king, scene.occupied)
    cdef Reach* enemy = &scene.reach[us ^ 1]
    cdef Bitboard slide = on_file(file.slide, own_file)
    cdef int units = enemy.units
    cdef int64_t value = 0
    if meet(slide, palace_of(us ^ 1)):
        value += term(scene, us, KING_COMMANDS_FILE, 1)
    value -= line_to_king_terms(
        pos, state, scene, us, slide, on_file(file.second, own_file),
        on_file(file.third, own_file), True,
    )
    value -= line_to_king_terms(
        pos, state, scene, us, on_rank(rank.slide, king), on_rank(rank.second, king),
        on_rank(rank.third, king), False,
    )
    if enemy.attackers > 1:
        units += BROKEN_GUARD_UNITS * (
            FULL_GUARDS
            - state.count[make_piece(us, ADVISOR)] - state.count[make_piece(us, BISHOP)]
        )
    return value - term(scene, us ^ 1, KING_DANGER + min(units, <int>MAX_UNITS), 1)


cdef inline int64_t threat_terms(const Position* pos, Scene* scene, int us) noexcept nogil:
    """Hanging enemies, enemies attacked by cheaper pieces, and our protected outposts."""
    cdef int64_t value = 0
    cdef Reach* own = &scene.reach[us]
    cdef Reach* enemy = &scene.reach[us ^ 1]
    cdef Bitboard enemies = pos.by_color[us ^ 1]
    cdef Bitboard found = common(enemies, own.by_pawns)
    cdef int kind
    while any_of(found):
        kind = kind_of(pos.board[pop_lsb(&found)])
        if KNIGHT <= kind <= CANNON:
            value += term(scene, us, PAWN_THREAT + kind - KNIGHT, 1)
    found = common(pieces(pos, us ^ 1, ROOK), own.by_minors)
    if any_of(found):
        value += term(scene, us, ROOK_THREATENED, popcount(found))
    found = without(common(enemies, own.by_all), enemy.by_all)
    while any_of(found):
        value += term(scene, us, HANGING + kind_of(pos.board[pop_lsb(&found)]) - 1, 1)
    found = common(common(pos.by_color[us], BANK[us ^ 1]), own.by_all)
    if meet(found, pos.by_kind[PAWN]):
        value += term(scene, us, PAWN_PROTECTED, popcount(common(found, pos.by_kind[PAWN])))
    found = without(common(found, pos.by_kind[KNIGHT]), enemy.by_pawns)
    if any_of(found):
        value += term(scene, us, KNIGHT_OUTPOST, popcount(found))
    return value


cdef inline int64_t army_terms(
    const Position* pos, const TermState* state, Scene* scene, int us
) noexcept nogil:
    """Bonuses for pairs of pieces, and against an enemy without advisors or elephants."""
    cdef int64_t value = 0
    cdef const uint8_t* own = &state.count[make_piece(us, 0)]
    cdef const uint8_t* enemy = &state.count[make_piece(us ^ 1, 0)]
    cdef int no_advisors = FULL_GUARD - enemy[ADVISOR]
    cdef int no_bishops = FULL_GUARD - enemy[BISHOP]
    cdef Bitboard majors = union(
        union(pos.by_kind[ROOK], pos.by_kind[KNIGHT]), pos.by_kind[CANNON]
    )
    cdef int army = (own[ROOK] * PAIR_CASES + own[KNIGHT]) * PAIR_CASES + own[CANNON]
    cdef int kind
    value += term(scene, us, ARMY + army, 1)
    value += term(scene, us, CANNON_MOUNTS, own[CANNON] * (own[ADVISOR] + own[BISHOP]))
    if no_advisors or no_bishops:
        for kind in range(KNIGHT, PAWN + 1):
            value += term(scene, us, NO_ADVISOR + kind - KNIGHT, own[kind] * no_advisors)
            value += term(scene, us, NO_BISHOP + kind - KNIGHT, own[kind] * no_bishops)
    majors = common(majors, common(pos.by_color[us], BANK[us ^ 1]))
    value += term(scene, us, CROSSED + popcount(majors), 1)
    return value


# The value


cdef inline int64_t army_and_piece_terms(
    const Position* pos, const TermState* state, Scene* scene, int us
) noexcept nogil:
    """Terms that need only this side's attacks, which are recorded here."""
    cdef Bitboard area = union(pos.by_color[us], scene.reach[us ^ 1].by_pawns)
    area = without(bb(HALF_MASK, HALF_MASK), area)
    return (
        rook_terms(pos, scene, us, area)
        + cannon_terms(pos, scene, us, area)
        + knight_terms(pos, scene, us, area)
        + pawn_terms(pos, scene, us)
        + guard_terms(pos, scene, us)
        + army_terms(pos, state, scene, us)
    )


cdef inline int64_t contact_terms(
    const Position* pos, const TermState* state, Scene* scene, int us
) noexcept nogil:
    """Terms that need both sides' attacks."""
    return threat_terms(pos, scene, us) + king_terms(pos, state, scene, us)


cdef inline int64_t sum_terms(
    const Position* pos, const TermState* state, int* red_trace, int* black_trace
) noexcept nogil:
    """All terms but material and piece-square values, Red's less Black's."""
    cdef Scene scene
    cdef int us
    cdef int64_t value
    scene.weights = &state.weights.value[0]
    scene.occupied = all_pieces(pos)
    scene.trace[RED] = red_trace
    scene.trace[BLACK] = black_trace
    for us in range(2):
        scene.reach[us].by_pawns = pawn_attacks(us, pieces(pos, us, PAWN))
        scene.reach[us].by_minors = scene.reach[us].by_all = bb_empty()
        scene.reach[us].attackers = scene.reach[us].units = 0
    value = army_and_piece_terms(pos, state, &scene, RED)
    value -= army_and_piece_terms(pos, state, &scene, BLACK)
    value += contact_terms(pos, state, &scene, RED)
    value -= contact_terms(pos, state, &scene, BLACK)
    if pos.turn == RED:
        return value + term(&scene, RED, TEMPO, 1)
    return value - term(&scene, BLACK, TEMPO, 1)


cdef int phase_of(const TermState* state) noexcept nogil:
    """PHASE_MAX with all chariots, horses and cannons, 0 without any."""
    cdef const uint8_t* red = &state.count[make_piece(RED, 0)]
    cdef const uint8_t* black = &state.count[make_piece(BLACK, 0)]
    return (
        ROOK_PHASE * (red[ROOK] + black[ROOK])
        + MINOR_PHASE * (red[KNIGHT] + black[KNIGHT] + red[CANNON] + black[CANNON])
    )


cdef int scale_of(const TermState* state, int strong) noexcept nogil:
    """Scale factor of an advantage in an ending that is hard or impossible to win.

    Known results (http://www.xqinenglish.com/theanatomyofxiangqipart4.html and its chapters on
    endings): one chariot does not beat all four guards (advisors and elephants), one horse not two
    and hardly an elephant, one soldier hardly any; a cannon needs a mount.
    """
    cdef const uint8_t* own = &state.count[make_piece(strong, 0)]
    cdef const uint8_t* enemy = &state.count[make_piece(strong ^ 1, 0)]
    cdef int attackers = own[ROOK] + own[KNIGHT] + own[CANNON] + own[PAWN]
    cdef int guards = enemy[ADVISOR] + enemy[BISHOP]
    cdef int defence = guards + PIECE_DEFENCE * (enemy[ROOK] + enemy[KNIGHT] + enemy[CANNON])
    if attackers == 0:
        return NO_ATTACKER_SCALE
    if attackers > 1:
        return SCALE_MAX
    if own[ROOK]:
        return SCALE_MAX if defence < FULL_GUARDS else HOPELESS_SCALE
    if own[CANNON] and own[ADVISOR] + own[BISHOP] == 0:
        return HOPELESS_SCALE
    if defence >= FULL_GUARD:
        return HOPELESS_SCALE
    if (own[PAWN] and defence) or (own[KNIGHT] and enemy[BISHOP]):
        return HARD_SCALE
    return SCALE_MAX


cdef inline int taper(int64_t sum, int phase) noexcept nogil:
    """Interpolate between the phases; rounds towards 0, so that both colours are treated alike."""
    return (
        middle_game_of(sum) * phase + end_game_of(sum) * (PHASE_MAX - phase)
    ) // PHASE_MAX


cdef int unscaled_value(const TermState* state, const Position* pos) noexcept nogil:
    """The linear part of the evaluation, for Red."""
    return taper(state.piece_squares + sum_terms(pos, state, NULL, NULL), phase_of(state))


cdef int terms_value(const TermState* state, const Position* pos) noexcept nogil:
    """Value of the position from the side to move, within MAX_VALUE."""
    cdef int value = unscaled_value(state, pos)
    value = value * scale_of(state, RED if value > 0 else BLACK) // SCALE_MAX
    value = max(-<int>MAX_VALUE, min(<int>MAX_VALUE, value))
    return value if pos.turn == RED else -value


# The trace


cdef void trace_terms(
    const TermState* state, const Position* pos, int* red_trace, int* black_trace
) noexcept nogil:
    """Add each weight's count to the traces, material and piece-square values included."""
    cdef int square, piece
    cdef int* trace
    sum_terms(pos, state, red_trace, black_trace)
    for square in range(SQUARES):
        piece = pos.board[square]
        if piece != NO_PIECE:
            trace = red_trace if color_of(piece) == RED else black_trace
            trace[MATERIAL + kind_of(piece) - 1] += 1
            trace[piece_square_index(piece, square)] += 1


fill_beyond()
