"""Static evaluation for Python: values of boards, and of lines of moves."""

from xiangqi.core.board cimport CoreBoard
from xiangqi.core.evaluation.lone cimport all_attackers, attacker_wins, is_lone, lone_value
from xiangqi.core.evaluation.nnue.accumulators cimport (
    MAX_PLIES, NetworkState, free_network_state, network_make, network_reset, network_unmake,
    new_network_state,
)
from xiangqi.core.evaluation.nnue.output cimport network_value, value_from_scratch
from xiangqi.core.move cimport Move
from xiangqi.core.moves.bitboard cimport any_of
from xiangqi.core.moves.defs cimport KING, NO_MOVE, NO_PIECE, SQUARES, kind_of, uint8_t
from xiangqi.core.moves.position cimport Position, Undo, make, set_position, unmake
from xiangqi.core.network cimport Network

cdef enum:
    MAX_LINE = MAX_PLIES - 1  # moves of values_along


def evaluate_board(CoreBoard board not None, Network network not None):
    """Value of the position from the side to move, without the search's correction of endings with
    one attacker."""
    return value_from_scratch(network.weights, board.pos())


def searched_value(CoreBoard board not None, Network network not None):
    """The value of :func:`evaluate_board`, corrected in endings that the material decides, as in
    the search."""
    cdef int value = value_from_scratch(network.weights, board.pos())
    return lone_value(board.pos(), value) if is_lone(board.pos()) else value


def piece_contributions(CoreBoard board not None, Network network not None):
    """Contributions of all pieces but the kings, a dict by their squares: the value of
    :func:`evaluate_board` less that without the piece."""
    cdef const Position* pos = board.pos()
    cdef int value = value_from_scratch(network.weights, pos)
    cdef Position rest
    cdef uint8_t[SQUARES] cells
    cdef int square, piece
    contributions = {}
    for square in range(SQUARES):
        cells[square] = pos.board[square]
    for square in range(SQUARES):
        piece = cells[square]
        if piece != NO_PIECE and kind_of(piece) != KING:
            cells[square] = NO_PIECE
            set_position(&rest, cells, pos.turn, pos.halfmove_clock)
            contributions[square] = value - value_from_scratch(network.weights, &rest)
            cells[square] = piece
    return contributions


def wins_alone(CoreBoard board not None):
    """Is the single attacking piece evaluated as winning? None with no such piece, or several."""
    cdef const Position* pos = board.pos()
    if not is_lone(pos) or not any_of(all_attackers(pos)):
        return None
    return bool(attacker_wins(pos))


def values_along(CoreBoard board not None, moves, Network network not None, int every=1):
    """Values before and after each legal move of a line, and while the moves are taken back.

    Two lists, computed with an incrementally updated state, for tests of that state. A move None is
    a pass. Only every ``every``-th position is evaluated.
    """
    cdef NetworkState* state
    if len(moves) > MAX_LINE:
        raise ValueError(f"{len(moves)} moves, expected {MAX_LINE} at most")
    state = new_network_state(network.weights)
    if state == NULL:
        raise MemoryError("no memory for the state of a network")
    try:
        return walk(board, moves, state, every)
    finally:
        free_network_state(state)


cdef object walk(CoreBoard board, object moves, NetworkState* state, int every):
    cdef Position position = board.pos()[0]
    cdef Undo[MAX_LINE] line
    cdef int ply
    network_reset(state, &position)
    forth = [network_value(state, &position)]
    for ply, move in enumerate(moves, 1):
        step(&position, state, move, &line[ply - 1])
        if ply % every == 0:
            forth.append(network_value(state, &position))
    back = []
    for ply in range(len(moves), -1, -1):
        if ply % every == 0:
            back.append(network_value(state, &position))
        if ply > 0:
            step_back(&position, state, &line[ply - 1])
    return forth, back


cdef int step(Position* position, NetworkState* state, object move, Undo* undo) except -1:
    """Make a move, or pass; the network's state ignores passes, as in the search."""
    cdef Move played
    if move is None:
        position.turn ^= 1
        undo.move = NO_MOVE
        return 0
    played = move
    make(position, played.code, undo)
    network_make(state, position, undo)
    return 0


cdef int step_back(Position* position, NetworkState* state, const Undo* undo) except -1:
    """Take back a move or pass of ``step``."""
    if undo.move == NO_MOVE:
        position.turn ^= 1
        return 0
    unmake(position, undo)
    network_unmake(state)
    return 0
