"""The evaluation's Python door: weights in, values and their traces out."""

from libc.string cimport memset

from xiangqi.core.board cimport CoreBoard
from xiangqi.core.defs cimport BLACK, NO_MOVE, RED
from xiangqi.core.evaluate cimport *
from xiangqi.core.move cimport Move
from xiangqi.core.network cimport (
    MOST_PLIES, Network, NetworkState, free_network_state, new_network_state, value_from_scratch,
)
from xiangqi.core.position cimport Position, Undo, make, unmake
from xiangqi.core.scores cimport MAX_VALUE

cdef enum:
    MAX_WEIGHT = 4000
    MAX_LINE = MOST_PLIES - 1  # moves that values_along follows

WEIGHT_COUNT = WEIGHTS_USED
LIMITS = {"value": MAX_VALUE, "weight": MAX_WEIGHT, "phase": PHASE_MAX, "scale": SCALE_MAX}
GROUP_STARTS = {
    "material": MATERIAL,
    "king_squares": PIECE_SQUARES,
    "army": ARMY,
    "no_advisor": NO_ADVISOR,
    "no_bishop": NO_BISHOP,
    "cannon_mounts": CANNON_MOUNTS,
    "rook_mobility": ROOK_MOBILITY,
    "cannon_mobility": CANNON_MOBILITY,
    "knight_mobility": KNIGHT_MOBILITY,
    "rook_open_file": ROOK_OPEN_FILE,
    "rook_on_rib": ROOK_ON_RIB,
    "linked": LINKED,
    "knight_outpost": KNIGHT_OUTPOST,
    "pawn_protected": PAWN_PROTECTED,
    "crossed": CROSSED,
    "bare_cannon": BARE_CANNON,
    "bare_cannon_rooks": BARE_CANNON_ROOKS,
    "cannon_behind_two": CANNON_BEHIND_TWO,
    "rook_behind_one": ROOK_BEHIND_ONE,
    "king_commands_file": KING_COMMANDS_FILE,
    "king_danger": KING_DANGER,
    "pawn_threat": PAWN_THREAT,
    "rook_threatened": ROOK_THREATENED,
    "hanging": HANGING,
    "tempo": TEMPO,
}


def set_weights(values):
    """Take over all weights: a pair (middle game, end game) for each, in the order of the groups.

    Raises ValueError, and keeps the old weights, if their number or one of them is impossible.
    """
    cdef int index
    pairs = [(int(middle_game), int(end_game)) for middle_game, end_game in values]
    if len(pairs) != WEIGHTS_USED:
        raise ValueError(f"{len(pairs)} weights, expected {WEIGHTS_USED}")
    for pair in pairs:
        if not all(-MAX_WEIGHT <= weight <= MAX_WEIGHT for weight in pair):
            raise ValueError(f"weight {pair} is beyond {MAX_WEIGHT}")
    for index in range(WEIGHTS_USED):
        set_weight(index, pairs[index][0], pairs[index][1])
    fill_piece_squares()


def evaluate_board(CoreBoard board not None, Network network=None):
    """The value of a board's position from the side to move, by a network or by the terms."""
    cdef EvalState state
    if network is not None:
        return value_from_scratch(network.weights, &board.position)
    eval_reset(&state, &board.position, NULL)
    return evaluate(&board.position, &state)


def trace_board(CoreBoard board not None):
    """How the value comes about: (phase, scale, coefficients), from the side to move.

    ``coefficients`` has a pair (index of a weight, count) for each weight that plays a part.
    Their sums with the weights, ``mg`` and ``eg``, make the value::

        ((mg * phase + eg * (PHASE_MAX - phase)) / PHASE_MAX) * scale / SCALE_MAX

    each division rounding towards 0. The scale stands outside the linear part.
    """
    cdef EvalState state
    cdef int[2][WEIGHTS_USED] trace
    cdef int us = board.position.turn
    cdef int index
    memset(trace, 0, sizeof(trace))
    eval_reset(&state, &board.position, NULL)
    trace_terms(&board.position, &state, trace[RED], trace[BLACK])
    coefficients = [
        (index, trace[us][index] - trace[us ^ 1][index])
        for index in range(WEIGHTS_USED) if trace[us][index] != trace[us ^ 1][index]
    ]
    strong = RED if unscaled_value(&board.position, &state) > 0 else BLACK
    return phase_of(&state), scale_of(&state, strong), coefficients


def values_along(CoreBoard board not None, moves, Network network=None, int every=1):
    """The values before and after each of some legal moves, then as they are taken back.

    Two lists, reckoned with a state that follows the moves; for tests of that state. A move that
    is None is a pass. With ``every`` only each so-manieth position is evaluated.
    """
    cdef NetworkState* followed = NULL
    if len(moves) > MAX_LINE:
        raise ValueError(f"{len(moves)} moves, expected {MAX_LINE} at most")
    if network is not None:
        followed = new_network_state(network.weights)
        if followed == NULL:
            raise MemoryError("no memory to follow a line")
    try:
        return walk(board, moves, followed, every)
    finally:
        free_network_state(followed)


cdef object walk(CoreBoard board, object moves, NetworkState* network, int every):
    cdef Position position = board.position
    cdef EvalState state
    cdef Undo[MAX_LINE] line
    cdef int ply
    eval_reset(&state, &position, network)
    forth = [evaluate(&position, &state)]
    for ply, move in enumerate(moves, 1):
        step(&position, &state, move, &line[ply - 1])
        if ply % every == 0:
            forth.append(evaluate(&position, &state))
    back = []
    for ply in range(len(moves), -1, -1):
        if ply % every == 0:
            back.append(evaluate(&position, &state))
        if ply > 0:
            step_back(&position, &state, &line[ply - 1])
    return forth, back


cdef int step(Position* position, EvalState* state, object move, Undo* undo) except -1:
    """Make a move, or pass: of that the search tells the evaluation nothing."""
    cdef Move played
    if move is None:
        position.turn ^= 1
        undo.move = NO_MOVE
        return 0
    played = move
    make(position, played.code, undo)
    eval_make(state, position, undo)
    return 0


cdef int step_back(Position* position, EvalState* state, const Undo* undo) except -1:
    """Take back what ``step`` did."""
    if undo.move == NO_MOVE:
        position.turn ^= 1
        return 0
    unmake(position, undo)
    eval_unmake(state, position, undo)
    return 0
