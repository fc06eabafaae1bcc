"""The edges of a class: moves from a position, and moves that lead to it.

A position's number is a sum of terms, one for each kind of piece and one for the kings, so the
number after a step is computed without setting up the position. Moves are taken back without a test
of legality: the cells of impossible positions are NO_POSITION.
"""

from libc.stdint cimport int64_t

from xiangqi.core.moves.attacks cimport (
    ADVISOR_TO, KING_TO, PAWN_FROM, bishop_attacks, knight_attackers, rook_attacks,
)
from xiangqi.core.moves.bitboard cimport Bitboard, any_of, pop_lsb, without
from xiangqi.core.moves.defs cimport (
    ADVISOR, BISHOP, BLACK, KING, KNIGHT, NO_PIECE, PAWN, RED, Move, color_of, from_square, kind_of,
    encode_move, to_square, uint32_t,
)
from xiangqi.core.moves.movegen cimport MoveList, generate_legal, generate_quiets
from xiangqi.core.moves.position cimport (
    Position, Undo, all_pieces, key_after, make, unmake,
)
from xiangqi.core.tables.cells cimport (
    DRAWN, Cell, distance_of, is_lost, is_won, level_of, make_cell,
)
from xiangqi.core.tables.graph cimport Exits, Moves
from xiangqi.core.tables.marks cimport forget_facts, marks_of_move
from xiangqi.core.tables.material cimport (
    MIDDLE, Signature, file_of, find_index, find_number, is_in_the_middle, number_step, place_index,
)
from xiangqi.core.tables.table_set cimport find_table


cdef bint open_class(
    EndGame* game, Graph* graph, const Material* material, const Rules* rules,
    const TableSet* table_set
) noexcept nogil:
    """Build the graph of a class; False if a class to which a capture leads is not loaded."""
    cdef Signature left
    cdef int i, piece
    game.material = material
    game.rules = rules
    graph.source = game
    graph.nodes = material.size
    graph.half = material.half
    graph.pieces[RED] = graph.pieces[BLACK] = 0
    graph.crossing[RED] = graph.crossing[BLACK] = 0
    graph.find_moves = find_moves
    graph.find_origins = find_origins
    graph.marks_of = find_marks
    for i in range(material.groups):
        piece = material.group[i].piece
        graph.pieces[color_of(piece)] += material.group[i].count
        if kind_of(piece) != ADVISOR and kind_of(piece) != BISHOP:
            graph.crossing[color_of(piece)] += material.group[i].count
        left = material.signature - (<Signature>1 << (4 * piece))
        game.without[piece].table = find_table(table_set, left, &game.without[piece].turned)
        if game.without[piece].table == NULL:
            return False
    return True


cdef inline int64_t number_across(const Material* material, uint32_t node) noexcept nogil:
    """The number of the same position with the other side to move."""
    return <int64_t>node + material.half if node < material.half else <int64_t>node - material.half


# Forwards


cdef void enter_exit(Exits* exits, Cell reply) noexcept nogil:
    """Record a capture by the value of the position after it."""
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


cdef void enter_capture(const EndGame* game, Position* pos, Move move, Exits* exits) noexcept nogil:
    cdef const Smaller* smaller = &game.without[pos.board[to_square(move)]]
    cdef Undo undo
    cdef uint32_t index
    make(pos, move, &undo)
    find_index(&smaller.table.material, pos, smaller.turned, &index)
    enter_exit(exits, smaller.table.cells[index])
    unmake(pos, &undo)


cdef uint32_t index_after(
    const EndGame* game, uint32_t node, Position* pos, Move move
) noexcept nogil:
    """Node after a quiet move."""
    cdef const Material* material = game.material
    cdef int64_t number = number_across(material, node) + number_step(
        material, pos, from_square(move), to_square(move)
    )
    cdef Undo undo
    cdef uint32_t index
    if number >= 0:
        return <uint32_t>number
    make(pos, move, &undo)
    find_index(material, pos, False, &index)
    unmake(pos, &undo)
    return index


cdef bint find_moves(
    const Graph* graph, uint32_t node, bint with_exits, Moves* moves
) noexcept nogil:
    """List the quiet moves of a position and, if requested, summarise its captures; False if the
    node is no position."""
    cdef const EndGame* game = <const EndGame*>graph.source
    cdef Position* pos = &moves.before
    cdef MoveList legal
    cdef Move move
    cdef int i
    if not place_index(game.material, node, pos):
        return False
    if with_exits:
        generate_legal(pos, &legal)
    else:
        generate_quiets(pos, &legal)
    forget_facts(&moves.facts)
    moves.origin = node
    moves.count = 0
    moves.exits.best = moves.exits.worst = DRAWN
    moves.exits.draws = False
    for i in range(legal.count):
        move = legal.moves[i]
        if pos.board[to_square(move)] != NO_PIECE:
            enter_capture(game, pos, move, &moves.exits)
            continue
        moves.move[moves.count] = move
        moves.node[moves.count] = index_after(game, node, pos, move)
        moves.count += 1
    return True


cdef int find_marks(const Graph* graph, Moves* moves, int which, int wanted) noexcept nogil:
    """Marks of the move at index ``which``, among ``wanted``."""
    cdef const EndGame* game = <const EndGame*>graph.source
    return marks_of_move(&moves.before, moves.move[which], game.rules, &moves.facts, wanted)


# Backwards


cdef Bitboard squares_before(const Position* pos, int square) noexcept nogil:
    """Empty squares from which the piece on a square can have moved there."""
    cdef Bitboard occupied = all_pieces(pos)
    cdef int piece = pos.board[square]
    cdef int kind = kind_of(piece)
    cdef Bitboard found
    if kind == KING:
        found = KING_TO[square]
    elif kind == ADVISOR:
        found = ADVISOR_TO[square]
    elif kind == BISHOP:
        found = bishop_attacks(square, occupied)
    elif kind == KNIGHT:
        found = knight_attackers(square, occupied)
    elif kind == PAWN:
        found = PAWN_FROM[color_of(piece)][square]
    else:
        found = rook_attacks(square, occupied)
    return without(found, occupied)


cdef void step_back(Position* pos, int origin, int target) noexcept nogil:
    """Take back a quiet move."""
    cdef Undo undo
    undo.key = key_after(pos, encode_move(target, origin))
    undo.halfmove_clock = 0
    undo.move = encode_move(origin, target)
    undo.captured = NO_PIECE
    unmake(pos, &undo)


cdef int find_king_origins(
    const Material* material, const Position* pos, int origin, int target, int64_t number,
    uint32_t* origins
) noexcept nogil:
    """List the predecessors of a node by one king move, given the ``number`` before it: up to two.

    A number represents two mirror images, unless both kings are on the middle file. Both images of
    such a position lead to one number; only one image of a number leads to it.
    """
    cdef Position before
    if number >= 0:
        origins[0] = <uint32_t>number
        if is_in_the_middle(pos) or file_of(origin) != MIDDLE:
            return 1
    elif is_in_the_middle(pos):
        return 0
    before = pos[0]
    step_back(&before, origin, target)
    if number < 0:
        find_index(material, &before, False, origins)
        return 1
    if not is_in_the_middle(&before):
        return 1
    find_number(material, &before, False, True, origins + 1)
    return 2


cdef int find_origins(const Graph* graph, uint32_t node, uint32_t* origins) noexcept nogil:
    """List the nodes from which a move leads to a possible position; return their number.

    Some of them may be impossible positions.
    """
    cdef const Material* material = (<const EndGame*>graph.source).material
    cdef Position pos
    cdef Bitboard movers, squares
    cdef int64_t there, number
    cdef int count = 0
    cdef int mover, origin, target
    place_index(material, node, &pos)
    mover = pos.turn ^ 1
    there = number_across(material, node)
    movers = pos.by_color[mover]
    while any_of(movers):
        target = pop_lsb(&movers)
        squares = squares_before(&pos, target)
        while any_of(squares):
            origin = pop_lsb(&squares)
            number = there + number_step(material, &pos, target, origin)
            if target == pos.king[mover]:
                count += find_king_origins(
                    material, &pos, origin, target, number, &origins[count]
                )
            elif number >= 0:
                origins[count] = <uint32_t>number
                count += 1
    return count
