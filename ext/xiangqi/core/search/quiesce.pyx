"""Quiescence search (https://www.chessprogramming.org/Quiescence_Search)."""

from xiangqi.core.evaluation.scores cimport (
    DRAW_SCORE, INFINITE, WIN_IN_MAX, MATE, NO_SCORE,
)
from xiangqi.core.evaluation.static_value cimport evaluate
from xiangqi.core.moves.defs cimport NO_MOVE, NO_PIECE, Move, kind_of, to_square
from xiangqi.core.moves.movegen cimport gives_check, is_legal
from xiangqi.core.moves.position cimport key_after
from xiangqi.core.moves.see cimport EXCHANGE_VALUE
from xiangqi.core.search.endings cimport no_capture_score
from xiangqi.core.search.learning cimport Corrections, corrected_eval, find_corrections
from xiangqi.core.search.line cimport clear_pv, make_move, unmake_move, update_pv
from xiangqi.core.search.movepick cimport Picker, init_picker, next_move
from xiangqi.core.search.node cimport is_conclusive
from xiangqi.core.search.params cimport (
    DELTA_MARGIN, QUIESCENCE_BLEND, RECAPTURE_DEPTH, TABLE_KEEP,
)
from xiangqi.core.search.pruning cimport blend_towards
from xiangqi.core.search.repetition cimport ruling_score
from xiangqi.core.search.tt cimport LOWER, NO_BOUND, UPPER, TTData, prefetch, probe, store
from xiangqi.core.search.worker cimport stack_at, should_stop, param


cdef int quiesce(Worker* worker, int alpha, int beta, int ply, int depth) noexcept nogil:
    """Score of the position after captures only (in check: all evasions).

    ``depth`` counts down from 0. Below ``-RECAPTURE_DEPTH`` only recaptures on the square of the
    last move are searched (https://www.chessprogramming.org/Quiescence_Search#Limiting_Quiescence).
    """
    cdef Picker picker
    cdef TTData tt
    cdef Corrections corrections
    cdef Move move
    cdef Move best_move = NO_MOVE
    cdef int score, best, static_eval, futility, target
    cdef int old_alpha = alpha
    cdef bint in_check = stack_at(worker, ply).in_check
    cdef bint checks
    cdef bint any_tainted = False
    clear_pv(worker, ply)
    worker.tainted = False
    if ply > worker.seldepth:
        worker.seldepth = ply

    # Step 1. Stopped search, repetition, no-capture draw, maximum ply
    if should_stop(worker):
        return 0
    score = ruling_score(worker, alpha, beta, ply)
    if score != NO_SCORE:
        return score
    score = no_capture_score(worker, ply)
    if score != NO_SCORE:
        return score
    if ply >= worker.control.max_ply:
        worker.tainted = True  # depends on the distance to the root
        return DRAW_SCORE if in_check else evaluate(&worker.pos, worker.network)

    # Step 2. Transposition table cut-off
    if not in_check:
        find_corrections(worker, ply, &corrections)
    tt = probe(&worker.control.table, worker.pos.key, ply)
    if beta - alpha == 1 and is_conclusive(&tt, alpha, beta):
        return tt.score

    # Step 3. Stand pat
    static_eval = NO_SCORE
    if in_check:
        best = ply - MATE
        futility = -INFINITE
    else:
        static_eval = tt.static_eval if tt.found and tt.static_eval != NO_SCORE else evaluate(
            &worker.pos, worker.network
        )
        best = corrected_eval(worker, &corrections, static_eval)
        if -WIN_IN_MAX < tt.score < WIN_IN_MAX and is_conclusive(&tt, best - 1, best + 1):
            best = tt.score
        if best >= beta:
            return blend_towards(beta, best, param(worker, QUIESCENCE_BLEND))
        if best > alpha:
            alpha = best
        futility = best + param(worker, DELTA_MARGIN)

    # Step 4. Loop over the moves
    init_picker(&picker, NO_MOVE, in_check, True)
    if tt.found and tt.move != NO_MOVE and is_legal(&worker.pos, tt.move):
        if in_check or worker.pos.board[to_square(tt.move)] != NO_PIECE:
            picker.tt_move = tt.move
    while True:
        move = next_move(&picker, &worker.pos, worker.histories)
        if move == NO_MOVE:
            break
        target = to_square(move)
        if not in_check and depth <= -param(worker, RECAPTURE_DEPTH) and (
            target != to_square(stack_at(worker, ply - 1).move)
        ):
            continue
        prefetch(&worker.control.table, key_after(&worker.pos, move))
        checks = gives_check(&worker.pos, move)
        if not in_check and not checks and best > -WIN_IN_MAX:
            # Delta pruning: even winning this piece would not reach alpha
            # (https://www.chessprogramming.org/Delta_Pruning).
            score = futility + EXCHANGE_VALUE[kind_of(worker.pos.board[target])]
            if score <= alpha:
                if score > best:
                    best = score
                continue
        make_move(worker, ply, move, checks)
        score = -quiesce(worker, -beta, -alpha, ply + 1, depth - 1)
        unmake_move(worker)
        if worker.stopped:
            return 0
        if score > best:
            best = score
            if score > alpha:
                alpha = score
                best_move = move
                if beta - old_alpha > 1:
                    update_pv(worker, ply, move)
                if score >= beta:
                    any_tainted = worker.tainted
                    break
        any_tainted |= worker.tainted

    # Step 5. Update of the table
    worker.tainted = any_tainted
    store(
        &worker.control.table, worker.pos.key, best_move, best, static_eval, 0,
        NO_BOUND if any_tainted else LOWER if best >= beta else UPPER, ply,
        param(worker, TABLE_KEEP),
    )
    return best
