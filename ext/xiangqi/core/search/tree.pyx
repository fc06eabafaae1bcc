"""Principal-variation negamax (https://www.chessprogramming.org/Principal_Variation_Search) in
numbered steps, one function for each step of more than a line.

A score that depends on a repetition is valid for the line that led there, not for the position.
Such a score is *tainted*: the flag goes up the tree with it, and only its move is stored in the
transposition table. This avoids the graph-history interaction problem
(https://www.chessprogramming.org/Graph_History_Interaction).
"""

from xiangqi.core.evaluation.scores cimport DRAW_SCORE, INFINITE, WIN_IN_MAX, MATE, NO_SCORE
from xiangqi.core.evaluation.static_value cimport evaluate
from xiangqi.core.moves.defs cimport NO_MOVE, Move
from xiangqi.core.moves.movegen cimport gives_check
from xiangqi.core.moves.position cimport key_after
from xiangqi.core.moves.see cimport see_ge
from xiangqi.core.search.endings cimport no_capture_score, table_score
from xiangqi.core.search.learning cimport update_on_cutoff, update_on_fail_low, update_on_tt_cutoff
from xiangqi.core.search.line cimport (
    clear_pv, make_move, make_null, unmake_move, unmake_null, update_pv,
)
from xiangqi.core.search.movepick cimport Picker, init_picker, next_move
from xiangqi.core.search.node cimport (
    TT_DEPTH_MARGIN, Node, Trial, init_moves, evaluate_node, is_tt_cutoff, is_pruned, store_result,
    inspect_move, probe_tt, reduction_of,
)
from xiangqi.core.search.params cimport *
from xiangqi.core.search.pruning cimport (
    blend_towards, has_attackers, is_reverse_futile, is_late_move, null_move_reduction,
)
from xiangqi.core.search.quiesce cimport quiesce
from xiangqi.core.search.repetition cimport ruling_score
from xiangqi.core.search.root_moves cimport start_root_move, is_root_move, update_root_move
from xiangqi.core.search.tt cimport LOWER, UPPER, TTData, prefetch, store
from xiangqi.core.search.worker cimport Stack, stack_at, should_stop, param

cdef enum:
    MAX_TRIED = 64          # moves of a node that get a malus after a cut-off
    PROBCUT_REDUCTION = 4


cdef int negamax(
    Worker* worker, int alpha, int beta, int depth, int ply, bint cut_node
) noexcept nogil:
    """Score of the position: exact if it lies between alpha and beta, else a bound."""
    cdef Node node
    cdef Trial trial
    cdef Picker picker
    cdef Move tried[MAX_TRIED]
    cdef Move best_move = NO_MOVE
    cdef Stack* ss = stack_at(worker, ply)
    cdef int tried_count = 0
    cdef int score, extension
    cdef bint any_tainted = False

    # Step 1. Stopped search, repetition, tables, maximum ply
    if depth <= 0:
        return quiesce(worker, alpha, beta, ply, 0)
    clear_pv(worker, ply)
    worker.tainted = False
    if ply > worker.seldepth:
        worker.seldepth = ply
    if should_stop(worker):
        return 0
    node.ply = ply
    node.is_root = ply == 0
    node.is_pv = beta - alpha > 1
    node.cut_node = cut_node
    node.in_check = ss.in_check
    node.excluded = ss.excluded
    if not node.is_root:
        if node.excluded == NO_MOVE:
            score = ruling_score(worker, alpha, beta, ply)
            if score != NO_SCORE:
                return score
            score = table_score(worker, ply)
            if score != NO_SCORE:
                return score
        if ply >= worker.control.max_ply:
            worker.tainted = True  # depends on the distance to the root
            return DRAW_SCORE if node.in_check else evaluate(&worker.pos, worker.network)

        # Step 2. Mate distance pruning (https://www.chessprogramming.org/Mate_Distance_Pruning)
        alpha = max(alpha, ply - MATE)
        beta = min(beta, MATE - ply - 1)
        if alpha >= beta:
            return alpha
    node.best = -INFINITE
    node.alpha = alpha
    node.beta = beta
    node.depth = depth

    # Step 3. Transposition table cut-off
    probe_tt(worker, &node)
    if not node.is_pv and is_tt_cutoff(worker, &node):
        if node.tt.move != NO_MOVE and node.tt.score >= beta:
            update_on_tt_cutoff(worker, ply, depth, node.tt.move)
        return node.tt.score

    # Step 4. Draw by the limit of plies without a capture
    if not node.is_root:
        score = no_capture_score(worker, ply)
        if score != NO_SCORE:
            return score

    # Step 5. Static evaluation
    evaluate_node(worker, &node, ss)
    stack_at(worker, ply + 1).excluded = NO_MOVE
    if not node.is_root and not node.in_check and node.excluded == NO_MOVE:
        node.depth += hindsight_extension(worker, ply)
    worker.histories.killers[ply + 1][0] = worker.histories.killers[ply + 1][1] = NO_MOVE

    # Steps 6 to 8. Reverse futility pruning, null move pruning, ProbCut
    if (
        not node.is_pv and not node.in_check and node.excluded == NO_MOVE
        and beta > -WIN_IN_MAX
    ):
        score = NO_SCORE
        if not worker.control.limits.mate:
            score = prune_by_eval(worker, &node)
            if score == NO_SCORE:
                score = try_null_move(worker, &node)
        if score == NO_SCORE:
            score = try_probcut(worker, &node, ss.static_eval)
        if score != NO_SCORE or worker.stopped:
            return score

    # Step 9. Internal iterative reduction if there is no table move
    # (https://www.chessprogramming.org/Internal_Iterative_Reductions)
    if (
        node.depth >= param(worker, INTERNAL_REDUCTION_DEPTH) and node.tt.move == NO_MOVE
        and node.excluded == NO_MOVE and (node.is_pv or cut_node)
    ):
        node.depth -= 1

    # Step 10. Loop over the moves
    init_moves(worker, &node, &picker)
    trial.number = 0
    while True:
        trial.move = next_move(&picker, &worker.pos, worker.histories)
        if trial.move == NO_MOVE:
            break
        if trial.move == node.excluded or (
            node.is_root and not is_root_move(worker, trial.move)
        ):
            continue
        prefetch(&worker.control.table, key_after(&worker.pos, trial.move))
        trial.number += 1
        if node.is_root:
            start_root_move(worker, trial.move, depth, trial.number)
        inspect_move(worker, &picker, &trial)

        # Step 11. Pruning at low depth, once a move is known that does not lose
        if (
            not node.is_root and node.best > -WIN_IN_MAX
            and not node.in_check and not trial.checks
        ):
            if trial.quiet and is_late_move(worker, node.depth, node.improving, trial.number):
                picker.skip_quiets = True
                continue
            if is_pruned(worker, &node, &trial, ss.static_eval):
                continue

        # Step 12. Extensions
        score = NO_SCORE
        extension = extension_of(worker, &node, &trial, ss, &score)
        if worker.stopped:
            return 0
        if score != NO_SCORE:
            return score

        # Step 13. Search of the move
        ss.number = trial.number
        ss.is_table_move = trial.move == node.tt.move
        make_move(worker, ply, trial.move, trial.checks)
        score = search_move(worker, &node, &trial, node.depth - 1 + extension)
        unmake_move(worker)
        if worker.stopped:
            return 0

        # Step 14. New best move
        if node.is_root:
            update_root_move(worker, trial.move, score, trial.number == 1 or score > node.alpha)
        if tried_count < MAX_TRIED:
            tried[tried_count] = trial.move
            tried_count += 1
        if score > node.best:
            node.best = score
            if score > node.alpha:
                node.alpha = score
                best_move = trial.move
                if node.is_pv:
                    update_pv(worker, ply, trial.move)
                if score >= beta:
                    any_tainted = worker.tainted
                    break
        any_tainted |= worker.tainted

    # Step 15. No legal move: checkmate or stalemate, which both lose
    worker.tainted = any_tainted
    if trial.number == 0:
        return node.alpha if node.excluded != NO_MOVE else ply - MATE

    # Step 16. Update of histories and table
    if node.best >= beta:
        node.best = blended_fail_high(worker, &node)
        update_on_cutoff(worker, ply, node.depth, best_move, tried, tried_count)
    elif best_move == NO_MOVE and not node.is_root:
        update_on_fail_low(worker, ply, node.depth)
    if node.excluded == NO_MOVE and not (node.is_root and worker.pv_index):
        store_result(worker, &node, best_move, ss.static_eval)
    return node.best


# Step 5


cdef inline int hindsight_extension(Worker* worker, int ply) noexcept nogil:
    """Correction of the depth by the evaluation after the last, reduced move: 1 if that move did
    not worsen it, so that the reduction seems too large; -1 if it did (hindsight reductions,
    https://github.com/official-stockfish/Stockfish)."""
    cdef Stack* before = stack_at(worker, ply - 1)
    cdef int gain
    if before.reduction == 0 or before.static_eval == NO_SCORE:
        return 0
    gain = stack_at(worker, ply).static_eval + before.static_eval  # for the side to move
    if gain <= 0 and 100 * before.reduction >= param(worker, HINDSIGHT_DEEPER):
        return 1
    return -(gain > param(worker, HINDSIGHT_MARGIN) and before.reduction > 1)


# Steps 6 to 8: a score, or NO_SCORE to go on


cdef inline int prune_by_eval(Worker* worker, const Node* node) noexcept nogil:
    """Step 6: reverse futility pruning. Razoring gained nothing in tests."""
    if is_reverse_futile(worker, node.depth, node.improving, node.eval, node.beta):
        return blend_towards(node.beta, node.eval, param(worker, REVERSE_FUTILITY_BLEND))
    return NO_SCORE


cdef inline int try_null_move(Worker* worker, const Node* node) noexcept nogil:
    """Step 7: if passing still fails high, a real move will too
    (https://www.chessprogramming.org/Null_Move_Pruning); verified at high depth."""
    cdef int score, verified, depth
    cdef bint is_tainted
    if (
        node.depth < param(worker, NULL_MOVE_DEPTH)
        or node.eval < node.beta
        or node.beta >= WIN_IN_MAX
        or node.ply < worker.null_ply
        or stack_at(worker, node.ply - 1).move == NO_MOVE
        or not has_attackers(&worker.pos)
    ):
        return NO_SCORE
    depth = node.depth - null_move_reduction(worker, node.depth, node.eval - node.beta)
    make_null(worker, node.ply)
    score = -negamax(worker, -node.beta, 1 - node.beta, depth, node.ply + 1, not node.cut_node)
    unmake_null(worker)
    is_tainted = worker.tainted
    if worker.stopped:
        return 0
    if score >= node.beta:
        if score >= WIN_IN_MAX:
            score = node.beta
        if node.depth < param(worker, NULL_MOVE_VERIFY_DEPTH) or worker.null_ply:
            return score
        worker.null_ply = node.ply + 3 * depth // 4
        verified = negamax(worker, node.beta - 1, node.beta, depth, node.ply, False)
        worker.null_ply = 0
        worker.tainted |= is_tainted  # the score is that of the null-move search
        if verified >= node.beta or worker.stopped:
            return score
    worker.tainted = False
    return NO_SCORE


cdef inline int try_probcut(Worker* worker, const Node* node, int static_eval) noexcept nogil:
    """Step 8: a capture that beats beta by a margin at a reduced depth will most likely beat beta
    at this depth (https://www.chessprogramming.org/ProbCut)."""
    cdef Picker picker
    cdef Move move
    cdef int score
    cdef int margin = node.beta + param(worker, PROBCUT_MARGIN)
    if (
        node.depth < param(worker, PROBCUT_DEPTH)
        or node.beta >= WIN_IN_MAX
        or (node.tt.found and node.tt.depth >= node.depth - TT_DEPTH_MARGIN
            and node.tt.bound & UPPER and node.tt.score < margin)
    ):
        return NO_SCORE
    init_picker(&picker, NO_MOVE, False, True)
    picker.see_margin = margin - static_eval
    while True:
        move = next_move(&picker, &worker.pos, worker.histories)
        if move == NO_MOVE:
            break
        prefetch(&worker.control.table, key_after(&worker.pos, move))
        make_move(worker, node.ply, move, gives_check(&worker.pos, move))
        score = -quiesce(worker, -margin, 1 - margin, node.ply + 1, 0)
        if score >= margin:
            score = -negamax(
                worker, -margin, 1 - margin, node.depth - PROBCUT_REDUCTION, node.ply + 1,
                not node.cut_node,
            )
        unmake_move(worker)
        if worker.stopped:
            return 0
        if score >= margin:
            if not worker.tainted:
                store(
                    &worker.control.table, worker.pos.key, move, score, node.raw_eval,
                    node.depth - PROBCUT_REDUCTION + 1, LOWER, node.ply,
                    param(worker, TABLE_KEEP),
                )
            return score
    worker.tainted = False
    return NO_SCORE


# Steps 12 and 13


cdef inline int extension_of(
    Worker* worker, const Node* node, const Trial* trial, Stack* ss, int* cut
) noexcept nogil:
    """Extension of a move in plies: of a singular table move by one to three, of a check by one
    (https://www.chessprogramming.org/Singular_Extensions,
    https://www.chessprogramming.org/Check_Extensions); -1 for a table move that is not singular and
    fails high. If the other moves fail high too, ``cut`` is set to the score of the node
    (https://www.chessprogramming.org/Multi-Cut)."""
    cdef const TTData* tt = &node.tt
    cdef int margin, score
    if node.ply >= 2 * worker.root_depth:
        return 0
    if not (
        not node.is_root and node.depth >= param(worker, SINGULAR_DEPTH)
        and trial.move == tt.move and node.excluded == NO_MOVE
        and tt.bound & LOWER and tt.depth >= node.depth - TT_DEPTH_MARGIN
        and -WIN_IN_MAX < tt.score < WIN_IN_MAX
    ):
        return trial.checks and see_ge(&worker.pos, trial.move, 0)
    margin = tt.score - param(worker, SINGULAR_MARGIN) * node.depth // 16
    ss.excluded = trial.move
    score = negamax(
        worker, margin - 1, margin, (node.depth - 1) // 2, node.ply, node.cut_node
    )
    ss.excluded = NO_MOVE
    clear_pv(worker, node.ply)
    if score < margin:
        if node.is_pv:
            return 1
        return (
            1 + (score < margin - param(worker, DOUBLE_MARGIN))
            + (score < margin - param(worker, TRIPLE_MARGIN))
        )
    if margin >= node.beta:
        cut[0] = margin
    return -1 if tt.score >= node.beta else 0


cdef inline int search_move(
    Worker* worker, const Node* node, const Trial* trial, int depth
) noexcept nogil:
    """Score of the move just made: a reduced search if it is late
    (https://www.chessprogramming.org/Late_Move_Reductions), a zero-window search unless it is the
    first, and the full window if it may be the best. After a reduced search that fails high, the
    depth grows by a ply if the score is far above the best, and shrinks by one if it hardly is."""
    cdef int alpha = node.alpha
    cdef int score = -INFINITE
    cdef int reduction = 0
    if (
        node.depth >= param(worker, REDUCTION_DEPTH) and trial.number > 1 + node.is_pv
        and (trial.quiet or trial.loses)
    ):
        reduction = reduction_of(worker, node, trial, depth)
        stack_at(worker, node.ply).reduction = reduction
        score = -negamax(worker, -alpha - 1, -alpha, depth - reduction, node.ply + 1, True)
        stack_at(worker, node.ply).reduction = 0
        if score > alpha and reduction > 0:
            if not node.is_root:
                depth += score > node.best + param(worker, DEEPER_MARGIN)
                depth -= score < node.best + param(worker, SHALLOWER_MARGIN)
            score = -negamax(worker, -alpha - 1, -alpha, depth, node.ply + 1, not node.cut_node)
    elif not node.is_pv or trial.number > 1:
        score = -negamax(worker, -alpha - 1, -alpha, depth, node.ply + 1, not node.cut_node)
    if node.is_pv and (
        trial.number == 1 or (score > alpha and (node.is_root or score < node.beta))
    ):
        score = -negamax(worker, -node.beta, -alpha, depth, node.ply + 1, False)
    return score


# Step 16


cdef inline int blended_fail_high(const Worker* worker, const Node* node) noexcept nogil:
    """Score of a node that fails high, drawn towards beta: shallow searches are trusted less
    (https://github.com/official-stockfish/Stockfish, search.cpp)."""
    if node.is_root or node.best >= WIN_IN_MAX:
        return node.best
    return blend_towards(node.beta, node.best, param(worker, FAIL_HIGH_BLEND) // (node.depth + 1))
