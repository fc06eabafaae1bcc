"""Numbers of positions, and positions of numbers."""

from libc.string cimport memset

from xiangqi.core.moves.bitboard cimport (
    Bitboard, any_of, bit, has, pop_lsb, popcount, union, without,
)
from xiangqi.core.moves.attacks cimport BANK, PALACE
from xiangqi.core.moves.defs cimport (
    ADVISOR, BISHOP, BLACK, KING, NO_PIECE, PAWN, PIECE_CODES, RANKS, RED, color_of, kind_of,
    make_piece,
)
from xiangqi.core.moves.position cimport checkers, clear_position, pieces, put_piece

cdef enum:
    PALACE_SQUARES = 9
    CHOOSE_FROM = SQUARES + 1
    OUT_OF_REACH = -0x7FFFFFFF  # makes any sum negative

cdef uint32_t[CHOOSE_FROM][MAX_OF_A_KIND + 1] CHOOSE     # binomial coefficients
cdef int8_t[PALACE_SQUARES * PALACE_SQUARES] PAIR_NUMBER  # [Red's * 9 + Black's]; -1: mirror it
cdef uint8_t[KING_PAIRS][2] PAIR_SQUARES                  # [pair][color]


cdef inline int mirrored(int square) noexcept nogil:
    return square - 2 * (square % FILES) + FILES - 1


cdef inline int turned_square(int square) noexcept nogil:
    """The square as seen from the other side: flipped top to bottom."""
    return SQUARES - FILES - square + 2 * (square % FILES)


cdef inline int palace_number(int square) noexcept nogil:
    """Index of a square in its palace, from 0 to 8."""
    cdef int rank = square // FILES
    return (rank if rank < 3 else rank - 7) * 3 + file_of(square) - 3


cdef bint can_reach(int piece, int square) noexcept nogil:
    """Can such a piece ever reach the square in a game? The king is not considered."""
    cdef int color = color_of(piece)
    cdef int kind = kind_of(piece)
    cdef int rank = square // FILES if color == RED else RANKS - 1 - square // FILES
    cdef int file = file_of(square)
    if kind == ADVISOR:
        return has(PALACE, square) and has(BANK[color], square) and (rank + file) % 2 == 1
    if kind == BISHOP:
        return rank in (0, 4) and file in (2, 6) or rank == 2 and file in (0, 4, 8)
    if kind == PAWN:
        return rank > 4 or rank in (3, 4) and file % 2 == 0
    return True


cdef void set_group(Group* group, int piece, int count) noexcept nogil:
    cdef int square
    group.piece = piece
    group.count = count
    group.squares = 0
    for square in range(SQUARES):
        group.number[square] = -1
        if can_reach(piece, square):
            group.number[square] = group.squares
            group.square[group.squares] = square
            group.squares += 1
    group.combinations = CHOOSE[group.squares][count]


cdef bint set_material(Material* material, const uint8_t* codes, int count) noexcept nogil:
    """Set the material of a class, kings excluded; False if it has too many positions."""
    cdef int[PIECE_CODES] counts
    cdef int piece, i
    cdef uint64_t half = KING_PAIRS
    memset(counts, 0, sizeof(counts))
    memset(material, 0, sizeof(Material))
    for i in range(count):
        counts[codes[i]] += 1
    for piece in range(PIECE_CODES - 1, 0, -1):
        material.signature |= <Signature>counts[piece] << (4 * piece)
        material.turned |= <Signature>counts[piece] << (4 * (piece ^ 8))
        if counts[piece] > MAX_OF_A_KIND:
            return False
        if counts[piece]:
            set_group(&material.group[material.groups], piece, counts[piece])
            material.group_of[piece] = material.groups
            half *= material.group[material.groups].combinations
            material.groups += 1
            if 2 * half > MAX_POSITIONS:
                return False
    material.half = half
    material.size = 2 * half
    for i in range(material.groups):
        half //= material.group[i].combinations
        material.group[i].stride = half // KING_PAIRS
    return True


cdef Signature signature_of(const Position* pos) noexcept nogil:
    cdef Signature signature = 0
    cdef int color, kind
    for color in range(2):
        for kind in range(ADVISOR, PAWN + 1):
            signature |= (
                <Signature>popcount(pieces(pos, color, kind)) << (4 * make_piece(color, kind))
            )
    return signature


cdef bint needs_mirror(int red_king, int black_king) noexcept nogil:
    """Must a position with these kings be mirrored?"""
    return file_of(red_king) > MIDDLE or (
        file_of(red_king) == MIDDLE and file_of(black_king) > MIDDLE
    )


cdef bint is_in_the_middle(const Position* pos) noexcept nogil:
    """Are both kings on the middle file, so that the mirror image has its own number?"""
    return file_of(pos.king[RED]) == file_of(pos.king[BLACK]) == MIDDLE


cdef bint find_index(
    const Material* material, const Position* pos, bint turned, uint32_t* index
) noexcept nogil:
    """Find the number of a position of the class, ``turned`` if it has the colours exchanged.

    False if a piece is on a square that it cannot reach.
    """
    cdef bint mirror
    if turned:
        mirror = needs_mirror(turned_square(pos.king[BLACK]), turned_square(pos.king[RED]))
    else:
        mirror = needs_mirror(pos.king[RED], pos.king[BLACK])
    return find_number(material, pos, turned, mirror, index)


cdef bint find_number(
    const Material* material, const Position* pos, bint turned, bint mirror, uint32_t* index
) noexcept nogil:
    """Find the number of a position, or of its mirror image; False as for ``find_index``."""
    cdef int[2] king
    cdef int[MAX_OF_A_KIND] numbers
    cdef const Group* group
    cdef Bitboard left
    cdef int color, square, number, count, i, place
    cdef uint64_t found
    for color in range(2):
        square = pos.king[color ^ turned]
        king[color] = turned_square(square) if turned else square
        if mirror:
            king[color] = mirrored(king[color])
    found = PAIR_NUMBER[palace_number(king[RED]) * PALACE_SQUARES + palace_number(king[BLACK])]
    for i in range(material.groups):
        group = &material.group[i]
        left = pieces(pos, color_of(group.piece) ^ turned, kind_of(group.piece))
        count = 0
        while any_of(left):
            square = pop_lsb(&left)
            if turned:
                square = turned_square(square)
            if mirror:
                square = mirrored(square)
            number = group.number[square]
            if number < 0:
                return False
            place = count
            while place > 0 and numbers[place - 1] > number:
                numbers[place] = numbers[place - 1]
                place -= 1
            numbers[place] = number
            count += 1
        number = 0
        for place in range(count):
            number += CHOOSE[numbers[place]][place + 1]
        found = found * group.combinations + number
    if (pos.turn ^ turned) == BLACK:
        found += material.half
    index[0] = found
    return True


cdef inline int64_t rank_of(const Group* group, Bitboard squares) noexcept nogil:
    """Number of a combination of squares; OUT_OF_REACH if one is out of reach."""
    cdef int64_t rank = 0
    cdef int place = 1
    cdef int number
    while any_of(squares):
        number = group.number[pop_lsb(&squares)]
        if number < 0:
            return OUT_OF_REACH
        rank += CHOOSE[number][place]
        place += 1
    return rank


cdef int64_t king_step(
    const Material* material, const Position* pos, int color, int target
) noexcept nogil:
    cdef int[2] king
    cdef int now = palace_number(pos.king[RED]) * PALACE_SQUARES + palace_number(pos.king[BLACK])
    cdef int then
    king[color] = target
    king[color ^ 1] = pos.king[color ^ 1]
    then = palace_number(king[RED]) * PALACE_SQUARES + palace_number(king[BLACK])
    if PAIR_NUMBER[then] < 0:
        return OUT_OF_REACH
    return <int64_t>(PAIR_NUMBER[then] - PAIR_NUMBER[now]) * (material.half // KING_PAIRS)


cdef int64_t number_step(
    const Material* material, const Position* pos, int origin, int target
) noexcept nogil:
    """Change of a position's number if a piece steps to an empty square, the turn being unchanged.

    Far below 0 if the piece cannot reach that square, or if the result would have to be mirrored;
    the given position must not need mirroring.
    """
    cdef int piece = pos.board[origin]
    cdef const Group* group
    cdef Bitboard now, then
    if kind_of(piece) == KING:
        return king_step(material, pos, color_of(piece), target)
    group = &material.group[material.group_of[piece]]
    now = pieces(pos, color_of(piece), kind_of(piece))
    then = union(without(now, bit(origin)), bit(target))
    return (rank_of(group, then) - rank_of(group, now)) * group.stride


cdef bint place_index(const Material* material, uint32_t index, Position* pos) noexcept nogil:
    """Set up the position of a number; False if it is impossible."""
    cdef int turn = RED
    cdef int i, square, place, number
    cdef uint32_t combination
    cdef const Group* group
    if index >= material.half:
        turn = BLACK
        index -= material.half
    clear_position(pos, turn)
    i = material.groups
    while i > 0:
        i -= 1
        group = &material.group[i]
        combination = index % group.combinations
        index //= group.combinations
        number = group.squares
        place = group.count
        while place > 0:  # the highest square first
            number = <int>combination if place == 1 else number - 1
            while CHOOSE[number][place] > combination:
                number -= 1
            combination -= CHOOSE[number][place]
            square = group.square[number]
            if pos.board[square] != NO_PIECE:
                return False
            put_piece(pos, group.piece, square)
            place -= 1
    for i in range(2):
        square = PAIR_SQUARES[index][i]
        if pos.board[square] != NO_PIECE:
            return False
        put_piece(pos, make_piece(i, KING), square)
    return not any_of(checkers(pos, turn ^ 1))


cdef bint is_own_mirror(const Material* material, uint32_t index) noexcept nogil:
    """Are both kings on the middle file, so that the mirror image has its own number?"""
    cdef int i
    if index >= material.half:
        index -= material.half
    for i in range(material.groups - 1, -1, -1):
        index //= material.group[i].combinations
    return file_of(PAIR_SQUARES[index][RED]) == file_of(PAIR_SQUARES[index][BLACK]) == MIDDLE


cdef void fill_choose() noexcept nogil:
    cdef int things, taken
    for things in range(CHOOSE_FROM):
        CHOOSE[things][0] = 1
        for taken in range(1, MAX_OF_A_KIND + 1):
            CHOOSE[things][taken] = (
                0 if things == 0 else CHOOSE[things - 1][taken] + CHOOSE[things - 1][taken - 1]
            )


cdef void fill_pairs() noexcept nogil:
    """Number the pairs of kings that need not be mirrored."""
    cdef int red, black, pair
    cdef int count = 0
    for red in range(PALACE_SQUARES):
        for black in range(PALACE_SQUARES):
            pair = red * PALACE_SQUARES + black
            PAIR_NUMBER[pair] = -1
            if red % 3 == 0 or (red % 3 == 1 and black % 3 <= 1):
                PAIR_NUMBER[pair] = count
                PAIR_SQUARES[count][RED] = (red // 3) * FILES + 3 + red % 3
                PAIR_SQUARES[count][BLACK] = (black // 3 + 7) * FILES + 3 + black % 3
                count += 1


fill_choose()
fill_pairs()
