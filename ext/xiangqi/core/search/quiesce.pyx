"""The leaves of the tree (https://www.chessprogramming.org/Quiescence_Search)."""

from xiangqi.core.evaluation.scores cimport (
    DRAW_SCORE, INFINITE, WIN_IN_MAX, MATE, NO_SCORE,
)
from xiangqi.core.evaluation.slot cimport evaluate
from xiangqi.core.moves.defs cimport NO_MOVE, NO_PIECE, Move, kind_of, to_square
from xiangqi.core.moves.movegen cimport gives_check, is_legal
from xiangqi.core.moves.position cimport key_after
from xiangqi.core.moves.see cimport EXCHANGE_VALUE
from xiangqi.core.search.endings cimport no_capture_score
from xiangqi.core.search.learning cimport Corrections, corrected_eval, find_corrections
from xiangqi.core.search.line cimport end_pv, extend_pv, play, take_back
from xiangqi.core.search.movepick cimport Picker, begin_picking, next_move
from xiangqi.core.search.node cimport is_bounded
from xiangqi.core.search.params cimport (
    DELTA_MARGIN, QUIESCENCE_BLEND, RECAPTURE_DEPTH, TABLE_KEEP,
)
from xiangqi.core.search.pruning cimport drawn_to
from xiangqi.core.search.repetition cimport ruling_score
from xiangqi.core.search.tt cimport LOWER, NO_BOUND, UPPER, Hit, fetch, probe, store
from xiangqi.core.search.worker cimport frame_at, is_over, param


cdef int quiesce(Worker* worker, int alpha, int beta, int ply, int depth) noexcept nogil:
    """Captures only (in check: all evasions) until the position is quiet
    (https://www.chessprogramming.org/Quiescence_Search).

    ``depth`` counts down from 0. Once it has used up ``RECAPTURE_DEPTH``, only captures on the
    square of the last move go on, or boards full of hanging pieces would never come to rest
    (https://www.chessprogramming.org/Quiescence_Search#Limiting_Quiescence).
    """
    cdef Picker picker
    cdef Hit hit
    cdef Corrections corrections
    cdef Move move
    cdef Move best_move = NO_MOVE
    cdef int score, best, static_eval, futility, target
    cdef int old_alpha = alpha
    cdef bint in_check = frame_at(worker, ply).in_check
    cdef bint checks
    cdef bint any_tainted = False
    end_pv(worker, ply)
    worker.tainted = False
    if ply > worker.seldepth:
        worker.seldepth = ply

    # Step 1. The end of the search, of the line, of the game
    if is_over(worker):
        return 0
    score = ruling_score(worker, alpha, beta, ply)
    if score != NO_SCORE:
        return score
    score = no_capture_score(worker, ply)
    if score != NO_SCORE:
        return score
    if ply >= worker.control.longest_line:
        worker.tainted = True  # from another root the search would go on
        return DRAW_SCORE if in_check else evaluate(&worker.pos, &worker.eval_state)

    # Step 2. The table
    if not in_check:
        find_corrections(worker, ply, &corrections)
    hit = probe(&worker.control.table, worker.pos.key, ply)
    if beta - alpha == 1 and is_bounded(&hit, alpha, beta):
        return hit.score

    # Step 3. Standing pat
    static_eval = NO_SCORE
    if in_check:
        best = ply - MATE
        futility = -INFINITE
    else:
        static_eval = hit.static_eval if hit.found and hit.static_eval != NO_SCORE else evaluate(
            &worker.pos, &worker.eval_state
        )
        best = corrected_eval(worker, &corrections, static_eval)
        if -WIN_IN_MAX < hit.score < WIN_IN_MAX and is_bounded(&hit, best - 1, best + 1):
            best = hit.score
        if best >= beta:
            return drawn_to(beta, best, param(worker, QUIESCENCE_BLEND))
        if best > alpha:
            alpha = best
        futility = best + param(worker, DELTA_MARGIN)

    # Step 4. The moves
    begin_picking(&picker, NO_MOVE, in_check, True)
    if hit.found and hit.move != NO_MOVE and is_legal(&worker.pos, hit.move):
        if in_check or worker.pos.board[to_square(hit.move)] != NO_PIECE:
            picker.table_move = hit.move
    while True:
        move = next_move(&picker, &worker.pos, worker.histories)
        if move == NO_MOVE:
            break
        target = to_square(move)
        if not in_check and depth <= -param(worker, RECAPTURE_DEPTH) and (
            target != to_square(frame_at(worker, ply - 1).move)
        ):
            continue
        fetch(&worker.control.table, key_after(&worker.pos, move))
        checks = gives_check(&worker.pos, move)
        if not in_check and not checks and best > -WIN_IN_MAX:
            # Delta pruning: even winning this piece would not reach alpha
            # (https://www.chessprogramming.org/Delta_Pruning).
            score = futility + EXCHANGE_VALUE[kind_of(worker.pos.board[target])]
            if score <= alpha:
                if score > best:
                    best = score
                continue
        play(worker, ply, move, checks)
        score = -quiesce(worker, -beta, -alpha, ply + 1, depth - 1)
        take_back(worker)
        if worker.over:
            return 0
        if score > best:
            best = score
            if score > alpha:
                alpha = score
                best_move = move
                if beta - old_alpha > 1:
                    extend_pv(worker, ply, move)
                if score >= beta:
                    any_tainted = worker.tainted
                    break
        any_tainted |= worker.tainted

    # Step 5. What was learnt
    worker.tainted = any_tainted
    store(
        &worker.control.table, worker.pos.key, best_move, best, static_eval, 0,
        NO_BOUND if any_tainted else LOWER if best >= beta else UPPER, ply,
        param(worker, TABLE_KEEP),
    )
    return best
