"""Static evaluation for Python: values and traces of boards."""

from libc.string cimport memset

from xiangqi.core.board cimport CoreBoard
from xiangqi.core.evaluation.lone cimport all_attackers, attacker_wins, is_lone, lone_value
from xiangqi.core.evaluation.nnue.accumulators cimport (
    MAX_PLIES, free_network_state, new_network_state,
)
from xiangqi.core.evaluation.nnue.output cimport value_from_scratch
from xiangqi.core.evaluation.scores cimport MAX_VALUE
from xiangqi.core.evaluation.slot cimport EvalState, eval_make, eval_reset, eval_unmake, raw_value
from xiangqi.core.evaluation.term_weights cimport WEIGHTS_USED, fill_piece_squares, tapered
from xiangqi.core.evaluation.terms cimport (
    PHASE_MAX, SCALE_MAX, TermState, phase_of, scale_of, terms_reset, terms_value, trace_terms,
    unscaled_value,
)
from xiangqi.core.move cimport Move
from xiangqi.core.moves.bitboard cimport any_of
from xiangqi.core.moves.defs cimport BLACK, NO_MOVE, RED
from xiangqi.core.moves.position cimport Position, Undo, make, unmake
from xiangqi.core.network cimport Network

from xiangqi.errors.copies import refuse_copy
from xiangqi.core.evaluation.term_weights import Group

cdef enum:
    MAX_WEIGHT = 4000
    MAX_LINE = MAX_PLIES - 1  # moves of values_along

WEIGHT_COUNT = WEIGHTS_USED
LIMITS = {"value": MAX_VALUE, "weight": MAX_WEIGHT, "phase": PHASE_MAX, "scale": SCALE_MAX}
GROUP_STARTS = {group.name.lower(): group.value for group in Group}


cdef class Terms:
    """The weights of the hand-made evaluation, shared by any number of searchers and threads.

    ``values`` has a pair (middlegame, endgame) for each weight, in the order of the groups.
    Raises ValueError for a wrong number of weights, or for one beyond ``LIMITS["weight"]``.
    """

    def __cinit__(self, values):
        cdef int index
        pairs = [(int(middle_game), int(end_game)) for middle_game, end_game in values]
        if len(pairs) != WEIGHTS_USED:
            raise ValueError(f"{len(pairs)} weights, expected {WEIGHTS_USED}")
        for pair in pairs:
            if not all(-MAX_WEIGHT <= weight <= MAX_WEIGHT for weight in pair):
                raise ValueError(f"weight {pair} is beyond {MAX_WEIGHT}")
        for index in range(WEIGHTS_USED):
            self.weights.value[index] = tapered(pairs[index][0], pairs[index][1])
        fill_piece_squares(&self.weights)

    def __reduce__(self):
        refuse_copy(self, "memory of the core")


def evaluate_board(CoreBoard board not None, evaluation not None):
    """Value of the position by a Network or by Terms, from the side to move; without the search's
    correction of endings with one attacker."""
    cdef TermState state
    if isinstance(evaluation, Network):
        return value_from_scratch((<Network>evaluation).weights, board.pos())
    state.weights = &(<Terms?>evaluation).weights
    terms_reset(&state, board.pos())
    return terms_value(&state, board.pos())


def searched_value(CoreBoard board not None, evaluation not None):
    """The value of :func:`evaluate_board`, corrected in endings that the material decides, as in
    the search."""
    cdef int value = evaluate_board(board, evaluation)
    return lone_value(board.pos(), value) if is_lone(board.pos()) else value


def wins_alone(CoreBoard board not None):
    """Is the single attacking piece evaluated as winning? None with no such piece, or several."""
    cdef const Position* pos = board.pos()
    if not is_lone(pos) or not any_of(all_attackers(pos)):
        return None
    return bool(attacker_wins(pos))


def trace_board(CoreBoard board not None, Terms terms not None):
    """Terms of the value: (phase, scale, coefficients), from the side to move.

    ``coefficients`` has a pair (index of a weight, count) for each weight whose count is not 0.
    With the sums of count times weight, ``mg`` and ``eg``, the value is::

        ((mg * phase + eg * (PHASE_MAX - phase)) / PHASE_MAX) * scale / SCALE_MAX

    Each division rounds towards 0.
    """
    cdef TermState state
    cdef int[2][WEIGHTS_USED] trace
    cdef int us = board.pos().turn
    cdef int index
    memset(trace, 0, sizeof(trace))
    state.weights = &terms.weights
    terms_reset(&state, board.pos())
    trace_terms(&state, board.pos(), trace[RED], trace[BLACK])
    coefficients = [
        (index, trace[us][index] - trace[us ^ 1][index])
        for index in range(WEIGHTS_USED) if trace[us][index] != trace[us ^ 1][index]
    ]
    strong = RED if unscaled_value(&state, board.pos()) > 0 else BLACK
    return phase_of(&state), scale_of(&state, strong), coefficients


def values_along(CoreBoard board not None, moves, evaluation not None, int every=1):
    """Values before and after each legal move of a line, and while the moves are taken back.

    Two lists, computed with an incrementally updated state, for tests of that state. A move None is
    a pass. Only every ``every``-th position is evaluated.
    """
    cdef EvalState state
    if len(moves) > MAX_LINE:
        raise ValueError(f"{len(moves)} moves, expected {MAX_LINE} at most")
    memset(&state, 0, sizeof(EvalState))
    if isinstance(evaluation, Network):
        state.network = new_network_state((<Network>evaluation).weights)
        if state.network == NULL:
            raise MemoryError("no memory for the state of a network")
    else:
        state.terms.weights = &(<Terms?>evaluation).weights
    try:
        return walk(board, moves, &state, every)
    finally:
        free_network_state(state.network)


cdef object walk(CoreBoard board, object moves, EvalState* state, int every):
    cdef Position position = board.pos()[0]
    cdef Undo[MAX_LINE] line
    cdef int ply
    eval_reset(state, &position)
    forth = [raw_value(&position, state)]
    for ply, move in enumerate(moves, 1):
        step(&position, state, move, &line[ply - 1])
        if ply % every == 0:
            forth.append(raw_value(&position, state))
    back = []
    for ply in range(len(moves), -1, -1):
        if ply % every == 0:
            back.append(raw_value(&position, state))
        if ply > 0:
            step_back(&position, state, &line[ply - 1])
    return forth, back


cdef int step(Position* position, EvalState* state, object move, Undo* undo) except -1:
    """Make a move, or pass; the evaluation state ignores passes, as in the search."""
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
    """Take back a move or pass of ``step``."""
    if undo.move == NO_MOVE:
        position.turn ^= 1
        return 0
    unmake(position, undo)
    eval_unmake(state, position, undo)
    return 0
