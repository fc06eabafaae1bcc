"""One node of the tree: what its steps know of it, and the steps that search nothing themselves."""

from xiangqi.core.evaluation.scores cimport NO_SCORE
from xiangqi.core.evaluation.slot cimport evaluate
from xiangqi.core.moves.defs cimport NO_MOVE, NO_PIECE, Move, to_square
from xiangqi.core.moves.movegen cimport gives_check, is_legal
from xiangqi.core.search.history cimport CONTINUATION_PLIES, CONTINUATIONS, pawn_row
from xiangqi.core.search.learning cimport (
    Corrections, corrected_eval, find_corrections, learn_correction,
)
from xiangqi.core.search.movepick cimport BAD_CAPTURES, Picker, begin_picking, quiet_score
from xiangqi.core.search.params cimport *
from xiangqi.core.search.pruning cimport is_futile, late_reduction, loses_exchange
from xiangqi.core.search.tt cimport EXACT, LOWER, NO_BOUND, UPPER, Hit, probe, store
from xiangqi.core.search.worker cimport Frame, Worker, clamp, frame_at, param

cdef enum:
    NEAR_THE_LIMIT = 20      # plies before a draw for want of captures: the table may be wrong
    TABLE_SLACK = 3          # plies that a table's entry may be shallower and still tell enough
    MAX_TABLE_DEPTH = 255         # that the table can hold

cdef struct Node:            # what the steps know of a position in the tree
    int alpha
    int beta
    int best                 # the best score so far
    int depth
    int ply
    bint is_root
    bint is_pv               # its window is open
    bint cut_node            # it is expected to fail high
    bint in_check
    bint improving           # better than two plies ago
    Move excluded            # the move that a singular extension leaves out
    Hit hit                  # what the table knows
    Corrections corrections  # of the static evaluation, where it is asked
    int static_eval          # by the evaluation alone; NO_SCORE if it was not asked
    int estimate             # the best guess: corrected, or the table's score if that is sharper

cdef struct Trial:           # what is known of a move before it is searched
    Move move
    int number               # 1 for the node's first move
    bint quiet
    bint loses               # it is a capture that loses by exchange
    bint checks
    int history              # what such moves were worth, if it is quiet


# Before the moves


cdef inline void look_up(Worker* worker, Node* node) noexcept nogil:
    """Ask the table. With a move excluded its entry is of another position, so to speak."""
    if not node.in_check and node.excluded == NO_MOVE:
        find_corrections(worker, node.ply, &node.corrections)
    node.hit = probe(&worker.control.table, worker.pos.key, node.ply)
    if node.excluded != NO_MOVE:
        node.hit.found = False
    if not node.hit.found or (
        node.hit.move != NO_MOVE and not is_legal(&worker.pos, node.hit.move)
    ):
        node.hit.move = NO_MOVE


cdef inline bint is_bounded(const Hit* hit, int low, int high) noexcept nogil:
    """Does the table's score say all about this window: exact, at least high or at most low?"""
    return hit.found and (
        hit.bound == EXACT
        or (hit.bound == LOWER and hit.score >= high)
        or (hit.bound == UPPER and hit.score <= low)
    )


cdef inline bint is_cut_by_table(const Worker* worker, const Node* node) noexcept nogil:
    """Was the position searched deeply enough before?"""
    return (
        node.hit.depth >= node.depth
        and worker.pos.halfmove_clock < worker.control.no_capture_limit - NEAR_THE_LIMIT
        and is_bounded(&node.hit, node.alpha, node.beta)
    )


cdef inline void guess_value(Worker* worker, Node* node, Frame* frame) noexcept nogil:
    """What the position is worth at a glance, and whether that is more than two plies ago."""
    cdef int before
    node.static_eval = NO_SCORE
    node.estimate = NO_SCORE
    node.improving = False
    if node.in_check:
        frame.static_eval = NO_SCORE
        return
    if node.excluded != NO_MOVE:
        node.estimate = frame.static_eval
    else:
        node.static_eval = node.hit.static_eval if (
            node.hit.found and node.hit.static_eval != NO_SCORE
        ) else evaluate(&worker.pos, &worker.eval_state)
        node.estimate = corrected_eval(worker, &node.corrections, node.static_eval)
        frame.static_eval = node.estimate
        if is_bounded(&node.hit, node.estimate - 1, node.estimate + 1):
            node.estimate = node.hit.score
    before = frame_at(worker, node.ply - 2).static_eval
    if node.ply >= 2:
        node.improving = before == NO_SCORE or frame.static_eval > before


# The moves


cdef inline void begin_moves(Worker* worker, const Node* node, Picker* picker) noexcept nogil:
    """Make the picker know what is remembered for this ply."""
    cdef int back, before
    begin_picking(picker, node.hit.move, node.in_check, False)
    picker.killers[0] = worker.histories.killers[node.ply][0]
    picker.killers[1] = worker.histories.killers[node.ply][1]
    for back in range(CONTINUATIONS):
        before = frame_at(worker, node.ply - CONTINUATION_PLIES[back]).place
        if before >= 0:
            picker.continuation[back] = worker.histories.continuation[before]
            if back == 0:
                picker.counter = worker.histories.counter[before]
    picker.far_weight = param(worker, CONTINUATION_FAR)
    picker.pawn_weight = param(worker, PAWN_HISTORY)
    picker.pawns = pawn_row(worker.histories, &worker.pos)


cdef inline void look_at(const Worker* worker, const Picker* picker, Trial* trial) noexcept nogil:
    """What can be told of a move without searching it."""
    trial.loses = picker.stage == BAD_CAPTURES
    trial.quiet = worker.pos.board[to_square(trial.move)] == NO_PIECE
    trial.checks = gives_check(&worker.pos, trial.move)
    trial.history = 0
    if trial.quiet:
        trial.history = quiet_score(picker, &worker.pos, worker.histories, trial.move)


cdef inline bint is_pruned(
    const Worker* worker, const Node* node, const Trial* trial, int static_eval
) noexcept nogil:
    """Is a move that gives no check hopeless so near to the leaves? What such moves were worth
    before speaks for it, or against it
    (https://www.chessprogramming.org/History_Leaf_Pruning)."""
    cdef int reduced_depth = max(
        node.depth - late_reduction(worker, node.depth, trial.number) // 100
        + trial.history // param(worker, FUTILITY_HISTORY), 0
    )
    if trial.quiet and (
        trial.history < -param(worker, HISTORY_PRUNING) * node.depth
        or is_futile(worker, reduced_depth, static_eval, node.alpha)
    ):
        return True
    return loses_exchange(worker, trial.move, trial.quiet, node.depth, reduced_depth)


cdef inline int reduction_of(
    const Worker* worker, const Node* node, const Trial* trial, int depth
) noexcept nogil:
    """By how many plies a late move is reduced that is quiet or loses; at least one is left."""
    cdef int reduction = (
        late_reduction(worker, node.depth, trial.number)
        + param(worker, REDUCTION_CUT_NODE) * node.cut_node
        - param(worker, REDUCTION_PV) * node.is_pv
        + param(worker, REDUCTION_WORSE) * (not node.improving)
        - param(worker, REDUCTION_CHECK) * trial.checks
        - 100 * trial.history // param(worker, REDUCTION_HISTORY)
    )
    if trial.loses:
        reduction -= param(worker, REDUCTION_CAPTURE)
    elif node.hit.move != NO_MOVE and worker.pos.board[to_square(node.hit.move)] != NO_PIECE:
        reduction += param(worker, REDUCTION_TABLE_CAPTURE)
    return clamp(reduction // 100, 0, max(depth - 1, 0))


# In the end


cdef inline void keep_result(
    Worker* worker, const Node* node, Move best_move, int static_eval
) noexcept nogil:
    """Tell the table, and the correction history where the score says something about it."""
    cdef int bound = UPPER
    if node.best >= node.beta:
        bound = LOWER
    elif best_move != NO_MOVE and node.is_pv:
        bound = EXACT
    store(
        &worker.control.table, worker.pos.key, best_move, node.best, node.static_eval,
        clamp(node.depth, 0, MAX_TABLE_DEPTH), NO_BOUND if worker.tainted else bound, node.ply,
        param(worker, TABLE_KEEP),
    )
    if node.in_check or worker.tainted or (
        best_move != NO_MOVE and worker.pos.board[to_square(best_move)] != NO_PIECE
    ):
        return
    if (bound == LOWER and node.best <= static_eval) or (
        bound == UPPER and node.best >= static_eval
    ):
        return
    learn_correction(worker, &node.corrections, node.depth, node.best - static_eval)
