"""One node of the tree: its state, and the steps of negamax that search no subtree."""

from xiangqi.core.evaluation.scores cimport NO_SCORE
from xiangqi.core.evaluation.static_value cimport evaluate
from xiangqi.core.moves.defs cimport NO_MOVE, NO_PIECE, Move, to_square
from xiangqi.core.moves.movegen cimport gives_check, is_legal
from xiangqi.core.search.history cimport CONTINUATION_PLIES, CONTINUATIONS, pawn_row
from xiangqi.core.search.learning cimport (
    Corrections, corrected_eval, find_corrections, update_corrections, update_on_gain,
)
from xiangqi.core.search.movepick cimport BAD_CAPTURES, Picker, init_picker, quiet_score
from xiangqi.core.search.params cimport *
from xiangqi.core.search.pruning cimport is_futile, base_reduction, loses_exchange
from xiangqi.core.search.tt cimport EXACT, LOWER, NO_BOUND, UPPER, TTData, probe, store
from xiangqi.core.search.worker cimport Stack, Worker, clamp, stack_at, param

cdef enum:
    NO_CAPTURE_MARGIN = 20      # plies before the no-capture draw: no table cut-offs
    TT_DEPTH_MARGIN = 3          # plies by which a table entry may be shallower
    MAX_TT_DEPTH = 255         # that fits into a table entry

cdef struct Node:            # state of a node, shared by the steps
    int alpha
    int beta
    int best                 # the best score so far
    int depth
    int ply
    bint is_root
    bint is_pv               # open window
    bint cut_node            # expected to fail high
    bint in_check
    bint improving           # static evaluation is higher than two plies ago
    Move excluded            # move excluded by a singular search
    TTData tt                # transposition table entry
    Corrections corrections  # correction history; not set in check
    int raw_eval             # uncorrected static evaluation; NO_SCORE: not computed
    int eval                 # corrected evaluation, or the table score if more informative

cdef struct Trial:           # a move about to be searched
    Move move
    int number               # 1 for the node's first move
    bint quiet
    bint loses               # a capture that loses material by SEE
    bint checks
    int history              # history score of a quiet move


# Before the moves


cdef inline void probe_tt(Worker* worker, Node* node) noexcept nogil:
    """Probe the table and find the correction history. A singular search does not use the entry,
    which is that of the full node."""
    if not node.in_check and node.excluded == NO_MOVE:
        find_corrections(worker, node.ply, &node.corrections)
    node.tt = probe(&worker.control.table, worker.pos.key, node.ply)
    if node.excluded != NO_MOVE:
        node.tt.found = False
    if not node.tt.found or (
        node.tt.move != NO_MOVE and not is_legal(&worker.pos, node.tt.move)
    ):
        node.tt.move = NO_MOVE


cdef inline bint is_conclusive(const TTData* tt, int low, int high) noexcept nogil:
    """Is the table score exact, or a bound outside this window: at least ``high`` or at most
    ``low``?"""
    return tt.found and (
        tt.bound == EXACT
        or (tt.bound == LOWER and tt.score >= high)
        or (tt.bound == UPPER and tt.score <= low)
    )


cdef inline bint is_tt_cutoff(const Worker* worker, const Node* node) noexcept nogil:
    """Does the table entry, searched at least as deep, decide this node?"""
    return (
        node.tt.depth >= node.depth
        and worker.pos.halfmove_clock < worker.control.limits.no_capture_limit - NO_CAPTURE_MARGIN
        and is_conclusive(&node.tt, node.alpha, node.beta)
    )


cdef inline void evaluate_node(Worker* worker, Node* node, Stack* ss) noexcept nogil:
    """Set the static evaluation of the node, and whether it is improving."""
    cdef int before
    node.raw_eval = NO_SCORE
    node.eval = NO_SCORE
    node.improving = False
    if node.in_check:
        ss.static_eval = NO_SCORE
        return
    if node.excluded != NO_MOVE:
        node.eval = ss.static_eval
    else:
        node.raw_eval = node.tt.static_eval if (
            node.tt.found and node.tt.static_eval != NO_SCORE
        ) else evaluate(&worker.pos, worker.network)
        node.eval = corrected_eval(worker, &node.corrections, node.raw_eval)
        ss.static_eval = node.eval
        update_on_gain(worker, node.ply)
        if is_conclusive(&node.tt, node.eval - 1, node.eval + 1):
            node.eval = node.tt.score
    before = stack_at(worker, node.ply - 2).static_eval
    if node.ply >= 2:
        node.improving = before == NO_SCORE or ss.static_eval > before


# The moves


cdef inline void init_moves(Worker* worker, const Node* node, Picker* picker) noexcept nogil:
    """Set up the move picker with killers, counter move and histories of this ply."""
    cdef int back, before
    init_picker(picker, node.tt.move, node.in_check, False)
    picker.killers[0] = worker.histories.killers[node.ply][0]
    picker.killers[1] = worker.histories.killers[node.ply][1]
    for back in range(CONTINUATIONS):
        before = stack_at(worker, node.ply - CONTINUATION_PLIES[back]).piece_to
        if before >= 0:
            picker.continuation[back] = worker.histories.continuation[before]
            if back == 0:
                picker.counter = worker.histories.counter[before]
    picker.far_weight = param(worker, CONTINUATION_FAR)
    picker.pawn_weight = param(worker, PAWN_HISTORY)
    picker.pawns = pawn_row(worker.histories, &worker.pos)


cdef inline void inspect_move(
    const Worker* worker, const Picker* picker, Trial* trial
) noexcept nogil:
    """Fill in the facts of a move: quiet or capture, check, SEE stage, history."""
    trial.loses = picker.stage == BAD_CAPTURES
    trial.quiet = worker.pos.board[to_square(trial.move)] == NO_PIECE
    trial.checks = gives_check(&worker.pos, trial.move)
    trial.history = 0
    if trial.quiet:
        trial.history = quiet_score(picker, &worker.pos, worker.histories, trial.move)


cdef inline bint is_pruned(
    const Worker* worker, const Node* node, const Trial* trial, int static_eval
) noexcept nogil:
    """Is a move that gives no check pruned, by history, futility or SEE?
    (https://www.chessprogramming.org/History_Leaf_Pruning)"""
    cdef int reduced_depth = max(
        node.depth - base_reduction(worker, node.depth, trial.number) // 100
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
    """Reduction of a late quiet or losing move in plies; at least one ply is left."""
    cdef int reduction = (
        base_reduction(worker, node.depth, trial.number)
        + param(worker, REDUCTION_CUT_NODE) * node.cut_node
        - param(worker, REDUCTION_PV) * node.is_pv
        + param(worker, REDUCTION_WORSE) * (not node.improving)
        - param(worker, REDUCTION_CHECK) * trial.checks
        - 100 * trial.history // param(worker, REDUCTION_HISTORY)
    )
    if trial.loses:
        reduction -= param(worker, REDUCTION_CAPTURE)
    elif node.tt.move != NO_MOVE and worker.pos.board[to_square(node.tt.move)] != NO_PIECE:
        reduction += param(worker, REDUCTION_TABLE_CAPTURE)
    return clamp(reduction // 100, 0, max(depth - 1, 0))


# After the moves


cdef inline void store_result(
    Worker* worker, const Node* node, Move best_move, int static_eval
) noexcept nogil:
    """Store the result in the table, and update the correction history."""
    cdef int bound = UPPER
    if node.best >= node.beta:
        bound = LOWER
    elif best_move != NO_MOVE and node.is_pv:
        bound = EXACT
    store(
        &worker.control.table, worker.pos.key, best_move, node.best, node.raw_eval,
        clamp(node.depth, 0, MAX_TT_DEPTH), NO_BOUND if worker.tainted else bound, node.ply,
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
    update_corrections(worker, &node.corrections, node.depth, node.best - static_eval)
