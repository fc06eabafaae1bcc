"""Attack tables, filled by slow generators that move each piece with ``step``.

An entry's index is computed by the function that later reads it, so no other code depends on the
order of the packed bits.
"""

from xiangqi.core.moves.defs cimport (
    ADVISOR, BISHOP, CANNON, KNIGHT, PAWN, RED, ROOK, color_of, kind_of,
)

cdef enum:
    OFF_BOARD = -1
    ALL_DIRECTIONS = 15   # bits for four directions

cdef int[4] DIAGONAL_FILE = [1, 1, -1, -1]
cdef int[4] DIAGONAL_RANK = [1, -1, 1, -1]
cdef int[4] STRAIGHT_FILE = [0, 0, 1, -1]
cdef int[4] STRAIGHT_RANK = [1, -1, 0, 0]


cdef int step(int square, int files, int ranks) noexcept nogil:
    """Square at this offset in files and ranks, or OFF_BOARD."""
    cdef int file = square % FILES + files
    cdef int rank = square // FILES + ranks
    if file < 0 or file >= FILES or rank < 0 or rank >= RANKS:
        return OFF_BOARD
    return rank * FILES + file


cdef int jump(int square, int files, int ranks, int side) noexcept nogil:
    """Target of a horse that steps straight, then onward to one side (1 or -1)."""
    return step(square, 2 * files + side * (ranks != 0), 2 * ranks + side * (files != 0))


cdef bint in_palace(int square) noexcept nogil:
    cdef int file = square % FILES
    cdef int rank = square // FILES
    return 3 <= file <= 5 and (rank <= 2 or rank >= 7)


cdef bint crossed(int color, int square) noexcept nogil:
    return square >= HALF if color == RED else square < HALF


cdef Line walk_line(int place, int length, int pieces) noexcept nogil:
    """Line attacks from ``place`` on a line of ``length`` points with the occupancy ``pieces``."""
    cdef Line line
    cdef int direction, at, seen
    line.slide = line.second = line.third = 0
    for direction in range(-1, 2, 2):
        seen = 0
        at = place + direction
        while 0 <= at < length and seen < 3:
            if seen == 0:
                line.slide |= 1 << at
            if (pieces >> at) & 1:
                seen += 1
                if seen == 2:
                    line.second |= 1 << at
                elif seen == 3:
                    line.third |= 1 << at
            at += direction
    return line


cdef Bitboard palace_steps(int square, const int* files, const int* ranks) noexcept nogil:
    """Squares one step away, in each of four directions, inside the palace."""
    cdef Bitboard reached = bb(0, 0)
    cdef int direction, target
    if in_palace(square):
        for direction in range(4):
            target = step(square, files[direction], ranks[direction])
            if target != OFF_BOARD and in_palace(target):
                reached = union(reached, bit(target))
    return reached


cdef Bitboard elephant_steps(int square, Bitboard occupied) noexcept nogil:
    """Two diagonal steps over an empty eye, never across the river."""
    cdef Bitboard reached = bb(0, 0)
    cdef int direction, eye, target
    for direction in range(4):
        eye = step(square, DIAGONAL_FILE[direction], DIAGONAL_RANK[direction])
        target = step(square, 2 * DIAGONAL_FILE[direction], 2 * DIAGONAL_RANK[direction])
        if target != OFF_BOARD and not has(occupied, eye):
            if crossed(RED, target) == crossed(RED, square):
                reached = union(reached, bit(target))
    return reached


cdef Bitboard horse_jumps(int square, Bitboard occupied) noexcept nogil:
    """Horse attacks: a straight step to an empty leg, then a diagonal step onward."""
    cdef Bitboard reached = bb(0, 0)
    cdef int direction, side, leg, target, files, ranks
    for direction in range(4):
        files = STRAIGHT_FILE[direction]
        ranks = STRAIGHT_RANK[direction]
        leg = step(square, files, ranks)
        if leg == OFF_BOARD or has(occupied, leg):
            continue
        for side in range(-1, 2, 2):
            target = jump(square, files, ranks, side)
            if target != OFF_BOARD:
                reached = union(reached, bit(target))
    return reached


cdef Bitboard pawn_steps(int color, int square) noexcept nogil:
    """Forward; across the river also sideways."""
    cdef Bitboard reached = bb(0, 0)
    cdef int target = step(square, 0, 1 if color == RED else -1)
    cdef int side
    if target != OFF_BOARD:
        reached = union(reached, bit(target))
    if crossed(color, square):
        for side in range(-1, 2, 2):
            target = step(square, side, 0)
            if target != OFF_BOARD:
                reached = union(reached, bit(target))
    return reached


cdef void fill_lines() noexcept nogil:
    cdef int place, pieces
    for place in range(FILES):
        for pieces in range(512):
            RANK_LINE[place][pieces] = walk_line(place, FILES, pieces)
    for place in range(RANKS):
        for pieces in range(1024):
            FILE_LINE[place][pieces] = walk_line(place, RANKS, pieces)


cdef void fill_steps() noexcept nogil:
    global PALACE
    cdef int square
    for square in range(SQUARES):
        KING_TO[square] = palace_steps(square, STRAIGHT_FILE, STRAIGHT_RANK)
        ADVISOR_TO[square] = palace_steps(square, DIAGONAL_FILE, DIAGONAL_RANK)
        BANK[square < HALF] = union(BANK[square < HALF], bit(square))
        if in_palace(square):
            PALACE = union(PALACE, bit(square))


cdef void fill_pawns() noexcept nogil:
    cdef int color, origin, target
    for color in range(2):
        for origin in range(SQUARES):
            PAWN_TO[color][origin] = pawn_steps(color, origin)
            for target in range(SQUARES):
                if has(PAWN_TO[color][origin], target):
                    PAWN_FROM[color][target] = union(PAWN_FROM[color][target], bit(origin))


cdef Bitboard neighbour_subset(
    int square, int subset, const int* files, const int* ranks
) noexcept nogil:
    """The neighbours on the board in some of four directions, given as bits."""
    cdef Bitboard chosen = bb(0, 0)
    cdef int direction, neighbour
    for direction in range(4):
        neighbour = step(square, files[direction], ranks[direction])
        if (subset >> direction) & 1 and neighbour != OFF_BOARD:
            chosen = union(chosen, bit(neighbour))
    return chosen


cdef void fill_jumps() noexcept nogil:
    """Horses and elephants: every subset of the four neighbours that can block them."""
    cdef int square, origin, subset, legs_index, eyes_index
    cdef Bitboard legs, eyes, nearby
    for square in range(SQUARES):
        nearby = horse_jumps(square, bb(0, 0))
        for subset in range(16):
            legs = neighbour_subset(square, subset, STRAIGHT_FILE, STRAIGHT_RANK)
            eyes = neighbour_subset(square, subset, DIAGONAL_FILE, DIAGONAL_RANK)
            legs_index = blocked_legs(legs, square)
            eyes_index = blocked_eyes(eyes, square)
            KNIGHT_TO[square][legs_index] = horse_jumps(square, legs)
            BISHOP_TO[square][eyes_index] = elephant_steps(square, eyes)
            for origin in range(SQUARES):
                if has(nearby, origin) and has(horse_jumps(origin, eyes), square):
                    KNIGHT_FROM[square][eyes_index] = union(
                        KNIGHT_FROM[square][eyes_index], bit(origin)
                    )
        fill_edge(KNIGHT_TO[square], blocked_legs(legs, square))
        fill_edge(BISHOP_TO[square], blocked_eyes(eyes, square))
        fill_edge(KNIGHT_FROM[square], blocked_eyes(eyes, square))


cdef void fill_edge(Bitboard* table, int on_board) noexcept nogil:
    """Make the table ignore index bits of squares beyond the edge, which read other squares."""
    cdef int index
    for index in range(16):
        table[index] = table[index & on_board]


cdef void fill_legs() noexcept nogil:
    cdef int square, direction, side, files, ranks, target
    for square in range(SQUARES):
        for direction in range(4):
            files = STRAIGHT_FILE[direction]
            ranks = STRAIGHT_RANK[direction]
            for side in range(-1, 2, 2):
                target = jump(square, files, ranks, side)
                if target != OFF_BOARD:
                    KNIGHT_LEG[square][target] = step(square, files, ranks)


cdef void fill_zones() noexcept nogil:
    """Fill in each king's lines, the squares from which horses attack it, and their legs."""
    cdef int square
    cdef Bitboard legs
    for square in range(SQUARES):
        legs = neighbour_subset(square, ALL_DIRECTIONS, DIAGONAL_FILE, DIAGONAL_RANK)
        KING_ZONE[square] = union(
            rook_attacks(square, bb(0, 0)), union(KNIGHT_FROM[square][0], legs)
        )


cdef void fill_between() noexcept nogil:
    cdef int square, direction, target
    cdef Bitboard passed
    for square in range(SQUARES):
        for direction in range(4):
            passed = bb(0, 0)
            target = step(square, STRAIGHT_FILE[direction], STRAIGHT_RANK[direction])
            while target != OFF_BOARD:
                BETWEEN[square][target] = passed
                passed = union(passed, bit(target))
                target = step(target, STRAIGHT_FILE[direction], STRAIGHT_RANK[direction])


cdef void fill_tables() noexcept nogil:
    cdef int square
    for square in range(SQUARES):
        FILE_OF[square] = square % FILES
        RANK_OF[square] = square // FILES
        RANK_SHIFT[square] = (square % HALF) // FILES * FILES
    fill_lines()
    fill_steps()
    fill_pawns()
    fill_jumps()
    fill_legs()
    fill_zones()
    fill_between()


cdef Bitboard attacks_of(int piece, int square, Bitboard occupied) noexcept nogil:
    """The squares that a piece on ``square`` attacks: where it could capture an enemy.

    Own pieces count as attacked (they are protected); a cannon attacks pieces only.
    """
    cdef int kind = kind_of(piece)
    if kind == ROOK:
        return rook_attacks(square, occupied)
    if kind == CANNON:
        return cannon_attacks(square, occupied)
    if kind == KNIGHT:
        return knight_attacks(square, occupied)
    if kind == PAWN:
        return PAWN_TO[color_of(piece)][square]
    if kind == BISHOP:
        return bishop_attacks(square, occupied)
    if kind == ADVISOR:
        return ADVISOR_TO[square]
    return KING_TO[square]


fill_tables()
