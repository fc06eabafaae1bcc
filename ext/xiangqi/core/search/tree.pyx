"""Principal-variation negamax (https://www.chessprogramming.org/Principal_Variation_Search) in
numbered steps, each a function of its own where it needs more than a line.

A score that rests on a repetition is true of the line that led there, not of the position. Such a
score is *tainted*: it goes up the tree with the move that brought it and is kept out of the
transposition table, where only the move is remembered. That is this engine's answer to the
graph-history interaction (https://www.chessprogramming.org/Graph_History_Interaction).
"""

from xiangqi.core.evaluation.scores cimport DRAW_SCORE, INFINITE, WIN_IN_MAX, MATE, NO_SCORE
from xiangqi.core.evaluation.slot cimport evaluate
from xiangqi.core.moves.defs cimport NO_MOVE, Move
from xiangqi.core.moves.movegen cimport gives_check
from xiangqi.core.moves.position cimport key_after
from xiangqi.core.moves.see cimport see_ge
from xiangqi.core.search.endings cimport no_capture_score, table_score
from xiangqi.core.search.learning cimport learn_cutoff, learn_fail_low, learn_table_cutoff
from xiangqi.core.search.line cimport end_pv, extend_pv, play, play_null, take_back, take_back_null
from xiangqi.core.search.movepick cimport Picker, begin_picking, next_move
from xiangqi.core.search.node cimport (
    TABLE_SLACK, Node, Trial, begin_moves, guess_value, is_cut_by_table, is_pruned, keep_result,
    look_at, look_up, reduction_of,
)
from xiangqi.core.search.params cimport *
from xiangqi.core.search.pruning cimport (
    drawn_to, has_attackers, is_far_above, is_late, null_move_reduction,
)
from xiangqi.core.search.quiesce cimport quiesce
from xiangqi.core.search.repetition cimport ruling_score
from xiangqi.core.search.root_moves cimport begin_root_move, is_root_move, note_root_move
from xiangqi.core.search.tt cimport LOWER, UPPER, Hit, fetch, store
from xiangqi.core.search.worker cimport Frame, frame_at, is_over, param

cdef enum:
    MAX_TRIED = 64          # moves of a node that may be blamed for a cut-off by another
    PROBCUT_REDUCTION = 4


cdef int negamax(
    Worker* worker, int alpha, int beta, int depth, int ply, bint cut_node
) noexcept nogil:
    """The score of the position, exact if it lies between alpha and beta, else a bound."""
    cdef Node node
    cdef Trial trial
    cdef Picker picker
    cdef Move tried[MAX_TRIED]
    cdef Move best_move = NO_MOVE
    cdef Frame* frame = frame_at(worker, ply)
    cdef int tried_count = 0
    cdef int score, extension
    cdef bint any_tainted = False

    # Step 1. The end of the search, of the line, of the game
    if depth <= 0:
        return quiesce(worker, alpha, beta, ply, 0)
    end_pv(worker, ply)
    worker.tainted = False
    if ply > worker.seldepth:
        worker.seldepth = ply
    if is_over(worker):
        return 0
    node.ply = ply
    node.is_root = ply == 0
    node.is_pv = beta - alpha > 1
    node.cut_node = cut_node
    node.in_check = frame.in_check
    node.excluded = frame.excluded
    if not node.is_root:
        if node.excluded == NO_MOVE:
            score = ruling_score(worker, alpha, beta, ply)
            if score != NO_SCORE:
                return score
            score = table_score(worker, ply)
            if score != NO_SCORE:
                return score
        if ply >= worker.control.longest_line:
            worker.tainted = True  # from another root the search would go on
            return DRAW_SCORE if node.in_check else evaluate(&worker.pos, &worker.eval_state)

        # Step 2. Mate distance pruning (https://www.chessprogramming.org/Mate_Distance_Pruning)
        alpha = max(alpha, ply - MATE)
        beta = min(beta, MATE - ply - 1)
        if alpha >= beta:
            return alpha
    node.best = -INFINITE
    node.alpha = alpha
    node.beta = beta
    node.depth = depth

    # Step 3. The table
    look_up(worker, &node)
    if not node.is_pv and is_cut_by_table(worker, &node):
        if node.hit.move != NO_MOVE and node.hit.score >= beta:
            learn_table_cutoff(worker, ply, depth, node.hit.move)
        return node.hit.score

    # Step 4. The limit of plies without a capture
    if not node.is_root:
        score = no_capture_score(worker, ply)
        if score != NO_SCORE:
            return score

    # Step 5. Static evaluation
    guess_value(worker, &node, frame)
    frame_at(worker, ply + 1).excluded = NO_MOVE
    if not node.is_root and not node.in_check and node.excluded == NO_MOVE:
        node.depth += hindsight(worker, ply)
    worker.histories.killers[ply + 1][0] = worker.histories.killers[ply + 1][1] = NO_MOVE

    # Steps 6 to 8. Positions that are decided without trying all moves
    if (
        not node.is_pv and not node.in_check and node.excluded == NO_MOVE
        and beta > -WIN_IN_MAX
    ):
        score = NO_SCORE
        if not worker.control.mate_only:
            score = prune_by_eval(worker, &node)
            if score == NO_SCORE:
                score = try_null_move(worker, &node)
        if score == NO_SCORE:
            score = try_probcut(worker, &node, frame.static_eval)
        if score != NO_SCORE or worker.over:
            return score

    # Step 9. Internal iterative reduction: without a table move, learn one cheaply first
    # (https://www.chessprogramming.org/Internal_Iterative_Reductions)
    if (
        node.depth >= param(worker, INTERNAL_REDUCTION_DEPTH) and node.hit.move == NO_MOVE
        and node.excluded == NO_MOVE and (node.is_pv or cut_node)
    ):
        node.depth -= 1

    # Step 10. The moves, best first
    begin_moves(worker, &node, &picker)
    trial.number = 0
    while True:
        trial.move = next_move(&picker, &worker.pos, worker.histories)
        if trial.move == NO_MOVE:
            break
        if trial.move == node.excluded or (
            node.is_root and not is_root_move(worker, trial.move)
        ):
            continue
        fetch(&worker.control.table, key_after(&worker.pos, trial.move))
        trial.number += 1
        if node.is_root:
            begin_root_move(worker, trial.move, depth, trial.number)
        look_at(worker, &picker, &trial)

        # Step 11. Shallow pruning, once a move is known that does not lose
        if (
            not node.is_root and node.best > -WIN_IN_MAX
            and not node.in_check and not trial.checks
        ):
            if trial.quiet and is_late(worker, node.depth, node.improving, trial.number):
                picker.skip_quiets = True
                continue
            if is_pruned(worker, &node, &trial, frame.static_eval):
                continue

        # Step 12. Extensions
        score = NO_SCORE
        extension = extension_of(worker, &node, &trial, frame, &score)
        if worker.over:
            return 0
        if score != NO_SCORE:
            return score

        # Step 13. The search of the move
        play(worker, ply, trial.move, trial.checks)
        score = search_move(worker, &node, &trial, node.depth - 1 + extension)
        take_back(worker)
        if worker.over:
            return 0

        # Step 14. Is it the best so far?
        if node.is_root:
            note_root_move(worker, trial.move, score, trial.number == 1 or score > node.alpha)
        if tried_count < MAX_TRIED:
            tried[tried_count] = trial.move
            tried_count += 1
        if score > node.best:
            node.best = score
            if score > node.alpha:
                node.alpha = score
                best_move = trial.move
                if node.is_pv:
                    extend_pv(worker, ply, trial.move)
                if score >= beta:
                    any_tainted = worker.tainted
                    break
        any_tainted |= worker.tainted

    # Step 15. No move: mated or stalemated, which loses alike
    worker.tainted = any_tainted
    if trial.number == 0:
        return node.alpha if node.excluded != NO_MOVE else ply - MATE

    # Step 16. What was learnt
    if node.best >= beta:
        learn_cutoff(worker, ply, node.depth, best_move, tried, tried_count)
    elif best_move == NO_MOVE and not node.is_root:
        learn_fail_low(worker, ply, node.depth)
    if node.excluded == NO_MOVE and not (node.is_root and worker.pv_index):
        keep_result(worker, &node, best_move, frame.static_eval)
    return node.best


# Step 5: the depth, now that there is an evaluation


cdef inline int hindsight(Worker* worker, int ply) noexcept nogil:
    """Plies by which the reduction of the last move now seems too large (1) or too small (-1): an
    evaluation that it did not worsen speaks for it, one that it worsened against it (hindsight
    reductions, https://github.com/official-stockfish/Stockfish)."""
    cdef Frame* before = frame_at(worker, ply - 1)
    cdef int gain
    if before.reduction == 0 or before.static_eval == NO_SCORE:
        return 0
    gain = frame_at(worker, ply).static_eval + before.static_eval  # of the side to move
    if gain <= 0 and 100 * before.reduction >= param(worker, HINDSIGHT_DEEPER):
        return 1
    return -(gain > param(worker, HINDSIGHT_MARGIN) and before.reduction > 1)


# Steps 6 to 8: each gives a score, or NO_SCORE where the moves have to be tried


cdef inline int prune_by_eval(Worker* worker, const Node* node) noexcept nogil:
    """Step 6: reverse futility. Razoring, its counterpart below alpha, wins nothing here."""
    if is_far_above(worker, node.depth, node.improving, node.estimate, node.beta):
        return drawn_to(node.beta, node.estimate, param(worker, REVERSE_FUTILITY_BLEND))
    return NO_SCORE


cdef inline int try_null_move(Worker* worker, const Node* node) noexcept nogil:
    """Step 7: whoever may pass and still is above beta will be there with a move
    (https://www.chessprogramming.org/Null_Move_Pruning); verified at large depths."""
    cdef int score, verified, depth
    cdef bint is_tainted
    if (
        node.depth < param(worker, NULL_MOVE_DEPTH)
        or node.estimate < node.beta
        or node.beta >= WIN_IN_MAX
        or node.ply < worker.null_ply
        or frame_at(worker, node.ply - 1).move == NO_MOVE
        or not has_attackers(&worker.pos)
    ):
        return NO_SCORE
    depth = node.depth - null_move_reduction(worker, node.depth, node.estimate - node.beta)
    play_null(worker, node.ply)
    score = -negamax(worker, -node.beta, 1 - node.beta, depth, node.ply + 1, not node.cut_node)
    take_back_null(worker)
    is_tainted = worker.tainted
    if worker.over:
        return 0
    if score >= node.beta:
        if score >= WIN_IN_MAX:
            score = node.beta
        if node.depth < param(worker, NULL_MOVE_VERIFY_DEPTH) or worker.null_ply:
            return score
        worker.null_ply = node.ply + 3 * depth // 4
        verified = negamax(worker, node.beta - 1, node.beta, depth, node.ply, False)
        worker.null_ply = 0
        worker.tainted |= is_tainted  # the score is that of the search behind the pass
        if verified >= node.beta or worker.over:
            return score
    worker.tainted = False
    return NO_SCORE


cdef inline int try_probcut(Worker* worker, const Node* node, int static_eval) noexcept nogil:
    """Step 8: a capture that wins by a margin at a much smaller depth will most likely win at
    this one (https://www.chessprogramming.org/ProbCut)."""
    cdef Picker picker
    cdef Move move
    cdef int score
    cdef int margin = node.beta + param(worker, PROBCUT_MARGIN)
    if (
        node.depth < param(worker, PROBCUT_DEPTH)
        or node.beta >= WIN_IN_MAX
        or (node.hit.found and node.hit.depth >= node.depth - TABLE_SLACK
            and node.hit.bound & UPPER and node.hit.score < margin)
    ):
        return NO_SCORE
    begin_picking(&picker, NO_MOVE, False, True)
    picker.see_margin = margin - static_eval
    while True:
        move = next_move(&picker, &worker.pos, worker.histories)
        if move == NO_MOVE:
            break
        fetch(&worker.control.table, key_after(&worker.pos, move))
        play(worker, node.ply, move, gives_check(&worker.pos, move))
        score = -quiesce(worker, -margin, 1 - margin, node.ply + 1, 0)
        if score >= margin:
            score = -negamax(
                worker, -margin, 1 - margin, node.depth - PROBCUT_REDUCTION, node.ply + 1,
                not node.cut_node,
            )
        take_back(worker)
        if worker.over:
            return 0
        if score >= margin:
            if not worker.tainted:
                store(
                    &worker.control.table, worker.pos.key, move, score, node.static_eval,
                    node.depth - PROBCUT_REDUCTION + 1, LOWER, node.ply,
                    param(worker, TABLE_KEEP),
                )
            return score
    worker.tainted = False
    return NO_SCORE


# Steps 10 to 13: the moves


cdef inline int extension_of(
    Worker* worker, const Node* node, const Trial* trial, Frame* frame, int* cut
) noexcept nogil:
    """How many plies deeper, or less deep, a move is searched: a table move that stands alone, or
    far from all others (https://www.chessprogramming.org/Singular_Extensions), a check
    (https://www.chessprogramming.org/Check_Extensions). Where several moves fail high, ``cut``
    gets the node's score, which is tainted if the search of the other moves is
    (https://www.chessprogramming.org/Multi-Cut)."""
    cdef const Hit* hit = &node.hit
    cdef int margin, score
    if node.ply >= 2 * worker.root_depth:
        return 0
    if not (
        not node.is_root and node.depth >= param(worker, SINGULAR_DEPTH)
        and trial.move == hit.move and node.excluded == NO_MOVE
        and hit.bound & LOWER and hit.depth >= node.depth - TABLE_SLACK
        and -WIN_IN_MAX < hit.score < WIN_IN_MAX
    ):
        return trial.checks and see_ge(&worker.pos, trial.move, 0)
    margin = hit.score - param(worker, SINGULAR_MARGIN) * node.depth // 16
    frame.excluded = trial.move
    score = negamax(
        worker, margin - 1, margin, (node.depth - 1) // 2, node.ply, node.cut_node
    )
    frame.excluded = NO_MOVE
    end_pv(worker, node.ply)
    if score < margin:
        return 1 + (not node.is_pv and score < margin - param(worker, DOUBLE_MARGIN))
    if margin >= node.beta:
        cut[0] = margin
    return -1 if hit.score >= node.beta else 0


cdef inline int search_move(
    Worker* worker, const Node* node, const Trial* trial, int depth
) noexcept nogil:
    """The score of the move just played: reduced if it comes late
    (https://www.chessprogramming.org/Late_Move_Reductions), with a closed window unless it is
    the first, with the full window if it may be the best. A reduced move that comes out far above
    the best is searched a ply deeper than planned, one that hardly does a ply less."""
    cdef int alpha = node.alpha
    cdef int score = -INFINITE
    cdef int reduction = 0
    if (
        node.depth >= param(worker, REDUCTION_DEPTH) and trial.number > 1 + node.is_pv
        and (trial.quiet or trial.loses)
    ):
        reduction = reduction_of(worker, node, trial, depth)
        frame_at(worker, node.ply).reduction = reduction
        score = -negamax(worker, -alpha - 1, -alpha, depth - reduction, node.ply + 1, True)
        frame_at(worker, node.ply).reduction = 0
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
