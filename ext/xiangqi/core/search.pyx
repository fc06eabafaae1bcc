"""Principal-variation negamax (https://www.chessprogramming.org/Principal_Variation_Search) in
numbered steps, quiescence, and repetition by the rules.

A score that rests on a repetition is true of the line that led there, not of the position. Such a
score is *tainted*: it goes up the tree with the move that brought it and is kept out of the
transposition table, where only the move is remembered. That is this engine's answer to the
graph-history interaction (https://www.chessprogramming.org/Graph_History_Interaction).
"""

from libc.math cimport log

from xiangqi.core.bitboard cimport any_of, ensure, union
from xiangqi.core.defs cimport (
    CANNON, KNIGHT, NO_MOVE, NO_PIECE, ROOK, from_square, int16_t, kind_of, to_square,
)
from xiangqi.core.evaluate cimport eval_make, eval_unmake, evaluate
from xiangqi.core.history cimport HISTORY_LIMIT, adjust, correction_index, piece_to
from xiangqi.core.judge cimport DRAW, RED_WINS, Cycle, Judgment, judge_cycle
from xiangqi.core.movegen cimport gives_check, is_legal
from xiangqi.core.movepick cimport Picker, begin_picking, next_move
from xiangqi.core.params cimport *
from xiangqi.core.position cimport checkers, key_after, make, pieces, unmake
from xiangqi.core.scores cimport (
    DRAW_SCORE, INFINITE, LEAST_DECIDED, MATE, NO_SCORE, RULE_WIN,
)
from xiangqi.core.see cimport EXCHANGE_VALUE, see_ge
from xiangqi.core.tt cimport EXACT, LOWER, NO_BOUND, UPPER, Hit, fetch, probe, store
from xiangqi.core.zobrist cimport TURN_KEY

cdef extern from "clock.h" nogil:
    long long milliseconds() noexcept

cdef enum:
    CLOCK_MASK = 1023        # nodes between two looks at the clock
    MAX_DEPTH = 100
    NEAR_THE_LIMIT = 20      # plies before a draw for want of captures: the table may be wrong
    CORRECTION_GRAIN = 256   # of the correction history's fixed-point numbers

cdef int REDUCTION[64][64]   # [depth][number of the move]


cdef void prepare_reductions() noexcept nogil:
    """Late-move reductions grow with the logarithms of depth and of the move's number."""
    cdef int depth, number
    for depth in range(64):
        for number in range(64):
            REDUCTION[depth][number] = 0
            if depth and number:
                REDUCTION[depth][number] = <int>(
                    PARAM[REDUCTION_BASE] / 100.0
                    + log(depth) * log(number) * 100.0 / PARAM[REDUCTION_DIVISOR]
                )


cdef inline int clamp(int value, int least, int most) noexcept nogil:
    if value < least:
        return least
    return most if value > most else value


# Time and nodes


cdef bint is_over(Worker* worker) noexcept nogil:
    """Must the search end? The main worker counts its nodes and now and then looks at the clock,
    and for Ctrl-C.
    """
    cdef Control* control = worker.control
    if worker.is_main:
        if control.node_limit and worker.nodes >= control.node_limit:
            control.stop = True
        elif not worker.nodes & CLOCK_MASK:
            if control.has_signal != NULL and control.has_signal(control.searcher):
                control.stop = True
            elif control.hard_ms and not control.pondering:
                if milliseconds() - control.clock_started >= control.hard_ms:
                    control.stop = True
    worker.over = control.stop
    return worker.over


# Making moves


cdef void play(Worker* worker, int ply, Move move, bint checks) noexcept nogil:
    """Make a move; ``checks`` says whether it gives check."""
    cdef Undo* undo = &worker.history[worker.plies]
    cdef Frame* frame = &worker.frames[ply + FRAMES_BEFORE]
    frame.move = move
    frame.place = piece_to(worker.pos.board[from_square(move)], to_square(move))
    make(&worker.pos, move, undo)
    undo.check = checks
    ensure(checks == any_of(checkers(&worker.pos, worker.pos.turn)))
    eval_make(&worker.eval_state, &worker.pos, undo)
    worker.frames[ply + 1 + FRAMES_BEFORE].in_check = undo.check
    worker.plies += 1
    worker.nodes += 1


cdef void take_back(Worker* worker) noexcept nogil:
    worker.plies -= 1
    unmake(&worker.pos, &worker.history[worker.plies])
    eval_unmake(&worker.eval_state, &worker.pos, &worker.history[worker.plies])


cdef void play_null(Worker* worker, int ply) noexcept nogil:
    """Pass. No repetition may reach back over it, so the clock of reversible plies restarts."""
    cdef Undo* undo = &worker.history[worker.plies]
    cdef Frame* frame = &worker.frames[ply + FRAMES_BEFORE]
    frame.move = NO_MOVE
    frame.place = -1
    undo.key = worker.pos.key
    undo.halfmove_clock = worker.pos.halfmove_clock
    undo.move = NO_MOVE
    undo.captured = NO_PIECE
    undo.check = False
    worker.pos.key ^= TURN_KEY
    worker.pos.turn ^= 1
    worker.pos.halfmove_clock = 0
    worker.frames[ply + 1 + FRAMES_BEFORE].in_check = False
    worker.plies += 1
    worker.nodes += 1


cdef void take_back_null(Worker* worker) noexcept nogil:
    worker.plies -= 1
    worker.pos.turn ^= 1
    worker.pos.key = worker.history[worker.plies].key
    worker.pos.halfmove_clock = worker.history[worker.plies].halfmove_clock


# Repetition


cdef int ruling_score(Worker* worker, int alpha, int beta, int ply) noexcept nogil:
    """The score by rule if this position has come back, else NO_SCORE.

    Inside the tree ``BELIEVED_OCCURRENCES`` are enough; an occurrence before the root counts
    only towards the number that the rules ask for.
    """
    cdef int plies = worker.plies
    cdef int reach = worker.pos.halfmove_clock
    cdef int at = plies - 4
    cdef int total = 1
    cdef int inside = 1
    cdef Cycle cycle
    if reach > plies:
        reach = plies
    cycle.previous = -1
    while at >= plies - reach:
        if worker.history[at].key == worker.pos.key:
            worker.stages[KEY_REPEATED] += 1
            total += 1
            inside += at >= worker.root_plies
            if cycle.previous < 0:
                cycle.previous = at
            if inside >= PARAM[BELIEVED_OCCURRENCES] or total >= worker.rules.occurrences:
                cycle.first = at
                cycle.last = plies - 1
                cycle.occurrences = total
                worker.tainted = True
                return judged_score(worker, &cycle, alpha, beta, ply)
        at -= 2
    return NO_SCORE


cdef int judged_score(
    Worker* worker, const Cycle* cycle, int alpha, int beta, int ply
) noexcept nogil:
    """The score of a cycle for the side to move: by the check flags if they are enough, by the
    chases if not."""
    cdef bint own_all = True
    cdef bint own_any = False
    cdef bint their_all = True
    cdef bint their_any = False
    cdef bint check
    cdef Judgment judgment
    cdef int at = cycle.last
    worker.stages[FLAGS_ASKED] += 1
    while at >= cycle.first:
        check = worker.history[at].check
        their_all &= check
        their_any |= check
        check = worker.history[at - 1].check
        own_all &= check
        own_any |= check
        at -= 2
    if worker.rules.count_checks and own_all != their_all:
        return ply - RULE_WIN if own_all else RULE_WIN - ply
    if own_all or not worker.rules.count_chases:
        return DRAW_SCORE
    if not worker.rules.checks_may_chase:
        # A side that checked once is not chasing, and an idle side cannot lose: its draw may
        # already decide the matter (the "judge prune" of Tan and Watkinson Medina).
        if own_any and (their_any or DRAW_SCORE >= beta):
            return DRAW_SCORE
        if their_any and DRAW_SCORE <= alpha:
            return DRAW_SCORE
    worker.stages[CHASES_ASKED] += 1
    judge_cycle(&worker.pos, worker.history, cycle, &worker.rules, &judgment, NULL)
    if judgment.verdict == DRAW:
        return DRAW_SCORE
    if (judgment.verdict == RED_WINS) == worker.pos.turn:
        return RULE_WIN - ply
    return ply - RULE_WIN


# Scores of positions


cdef int corrected_eval(Worker* worker, int static_eval) noexcept nogil:
    """The static evaluation, moved by what the search found for such soldiers before."""
    cdef int correction = worker.histories.correction[worker.pos.turn][
        correction_index(&worker.pos)
    ]
    return clamp(
        static_eval + correction // CORRECTION_GRAIN, 1 - LEAST_DECIDED, LEAST_DECIDED - 1
    )


cdef void learn_correction(Worker* worker, int depth, int error) noexcept nogil:
    """Move the correction towards what the static evaluation missed; deep searches weigh more."""
    cdef int16_t* counter = &worker.histories.correction[worker.pos.turn][
        correction_index(&worker.pos)
    ]
    cdef int weight = clamp(depth + 1, 1, 16)
    cdef int wanted = clamp(error, -64, 64) * CORRECTION_GRAIN
    counter[0] = clamp(
        (counter[0] * (PARAM[CORRECTION_WEIGHT] - weight) + wanted * weight)
        // PARAM[CORRECTION_WEIGHT],
        -HISTORY_LIMIT, HISTORY_LIMIT,
    )


cdef bint has_attackers(const Position* pos) noexcept nogil:
    """Has the side to move a chariot, horse or cannon, so that passing is a fair test?"""
    return any_of(union(
        union(pieces(pos, pos.turn, ROOK), pieces(pos, pos.turn, KNIGHT)),
        pieces(pos, pos.turn, CANNON),
    ))


# Learning from cut-offs


cdef int history_bonus(int depth) noexcept nogil:
    cdef int bonus = PARAM[HISTORY_SLOPE] * depth
    return bonus if bonus < PARAM[HISTORY_MOST] else PARAM[HISTORY_MOST]


cdef void adjust_quiet(Worker* worker, int ply, Move move, int bonus) noexcept nogil:
    """Butterfly and continuation histories of a quiet move at this ply."""
    cdef Histories* histories = worker.histories
    cdef int place = piece_to(worker.pos.board[from_square(move)], to_square(move))
    cdef int back, before
    adjust(&histories.butterfly[worker.pos.turn][move], bonus)
    for back in range(1, 3):
        before = worker.frames[ply - back + FRAMES_BEFORE].place
        if before >= 0:
            adjust(&histories.continuation[before][place], bonus)


cdef void adjust_capture(Worker* worker, Move move, int bonus) noexcept nogil:
    cdef int target = to_square(move)
    cdef int place = piece_to(worker.pos.board[from_square(move)], target)
    adjust(&worker.histories.captures[place][kind_of(worker.pos.board[target])], bonus)


cdef void learn_cutoff(
    Worker* worker, int ply, int depth, Move best, const Move* tried, int count
) noexcept nogil:
    """Reward the move that cut off and blame those tried before it."""
    cdef Histories* histories = worker.histories
    cdef int bonus = history_bonus(depth)
    cdef int before = worker.frames[ply - 1 + FRAMES_BEFORE].place
    cdef bint quiet = worker.pos.board[to_square(best)] == NO_PIECE
    cdef int i
    if quiet:
        if histories.killers[ply][0] != best:
            histories.killers[ply][1] = histories.killers[ply][0]
            histories.killers[ply][0] = best
        if before >= 0:
            histories.counter[before] = best
        adjust_quiet(worker, ply, best, bonus)
    else:
        adjust_capture(worker, best, bonus)
    for i in range(count):
        if tried[i] == best:
            continue
        if worker.pos.board[to_square(tried[i])] != NO_PIECE:
            adjust_capture(worker, tried[i], -bonus)
        elif quiet:
            adjust_quiet(worker, ply, tried[i], -bonus)


# The principal variation


cdef void end_pv(Worker* worker, int ply) noexcept nogil:
    worker.pv_length[ply] = 0


cdef void extend_pv(Worker* worker, int ply, Move move) noexcept nogil:
    """The best line from here is this move and the best line after it."""
    cdef int i
    cdef int length = worker.pv_length[ply + 1]
    if length > MAX_PLY - 1:
        length = MAX_PLY - 1
    worker.pv[ply][0] = move
    for i in range(length):
        worker.pv[ply][i + 1] = worker.pv[ply + 1][i]
    worker.pv_length[ply] = length + 1


# Quiescence


cdef int quiesce(Worker* worker, int alpha, int beta, int ply, int depth) noexcept nogil:
    """Captures only (in check: all evasions) until the position is quiet
    (https://www.chessprogramming.org/Quiescence_Search).

    ``depth`` counts down from 0. Once it has used up ``RECAPTURE_DEPTH``, only captures on the
    square of the last move go on, or boards full of hanging pieces would never come to rest
    (https://www.chessprogramming.org/Quiescence_Search#Limiting_Quiescence).
    """
    cdef Picker picker
    cdef Hit hit
    cdef Move move
    cdef Move best_move = NO_MOVE
    cdef int score, best, static_eval, futility, target
    cdef int old_alpha = alpha
    cdef bint in_check = worker.frames[ply + FRAMES_BEFORE].in_check
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
    if ply >= MAX_PLY - 1:
        return DRAW_SCORE if in_check else evaluate(&worker.pos, &worker.eval_state)

    # Step 2. The table
    hit = probe(&worker.control.table, worker.pos.key, ply)
    if hit.found and (
        hit.bound == EXACT
        or (hit.bound == LOWER and hit.score >= beta)
        or (hit.bound == UPPER and hit.score <= alpha)
    ) and beta - alpha == 1:
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
        best = corrected_eval(worker, static_eval)
        if best >= beta:
            return best
        if best > alpha:
            alpha = best
        futility = best + PARAM[DELTA_MARGIN]

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
        if not in_check and depth <= -PARAM[RECAPTURE_DEPTH] and (
            target != to_square(worker.frames[ply - 1 + FRAMES_BEFORE].move)
        ):
            continue
        fetch(&worker.control.table, key_after(&worker.pos, move))
        checks = gives_check(&worker.pos, move)
        if not in_check and not checks and best > -LEAST_DECIDED:
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
    )
    return best


# The tree


cdef int negamax(
    Worker* worker, int alpha, int beta, int depth, int ply, bint cut_node
) noexcept nogil:
    """The score of the position, exact if it lies between alpha and beta, else a bound."""
    cdef Picker picker
    cdef Hit hit
    cdef Move move
    cdef Move best_move = NO_MOVE
    cdef Move tried[64]
    cdef Histories* histories = worker.histories
    cdef Frame* frame = &worker.frames[ply + FRAMES_BEFORE]
    cdef Move excluded = frame.excluded
    cdef bint is_root = ply == 0
    cdef bint is_pv = beta - alpha > 1
    cdef bint in_check = frame.in_check
    cdef bint improving, quiet, checks, any_tainted, tainted_before
    cdef int best = -INFINITE
    cdef int score, static_eval, eval_now, reduction, new_depth, extension, margin
    cdef int count = 0
    cdef int tried_count = 0
    cdef int lmr_depth, history_score, bound, place, before, i

    if depth <= 0:
        return quiesce(worker, alpha, beta, ply, 0)
    end_pv(worker, ply)
    worker.tainted = False
    if ply > worker.seldepth:
        worker.seldepth = ply

    # Step 1. The end of the search, of the line, of the game
    if is_over(worker):
        return 0
    if not is_root:
        if excluded == NO_MOVE:
            score = ruling_score(worker, alpha, beta, ply)
            if score != NO_SCORE:
                return score
        if ply >= MAX_PLY - 1:
            return DRAW_SCORE if in_check else evaluate(&worker.pos, &worker.eval_state)

        # Step 2. Mate distance pruning (https://www.chessprogramming.org/Mate_Distance_Pruning)
        if alpha < ply - MATE:
            alpha = ply - MATE
        if beta > MATE - ply - 1:
            beta = MATE - ply - 1
        if alpha >= beta:
            return alpha

    # Step 3. The table
    hit = probe(&worker.control.table, worker.pos.key, ply)
    if excluded != NO_MOVE:
        hit.found = False
    if hit.found and hit.move != NO_MOVE and not is_legal(&worker.pos, hit.move):
        hit.move = NO_MOVE
    if not hit.found:
        hit.move = NO_MOVE
    if (
        not is_pv and hit.found and hit.depth >= depth
        and worker.pos.halfmove_clock < worker.control.no_capture_limit - NEAR_THE_LIMIT
        and (
            hit.bound == EXACT
            or (hit.bound == LOWER and hit.score >= beta)
            or (hit.bound == UPPER and hit.score <= alpha)
        )
    ):
        return hit.score

    # Step 4. A draw for want of captures
    if (
        not is_root and not in_check
        and worker.pos.halfmove_clock >= worker.control.no_capture_limit
    ):
        worker.tainted = True
        return DRAW_SCORE

    # Step 5. Static evaluation
    static_eval = NO_SCORE
    eval_now = NO_SCORE
    improving = False
    if in_check:
        frame.static_eval = NO_SCORE
    else:
        if excluded != NO_MOVE:
            eval_now = frame.static_eval
        else:
            static_eval = hit.static_eval if (
                hit.found and hit.static_eval != NO_SCORE
            ) else evaluate(&worker.pos, &worker.eval_state)
            eval_now = corrected_eval(worker, static_eval)
            frame.static_eval = eval_now
            if hit.found and (
                hit.bound == EXACT
                or (hit.bound == LOWER and hit.score > eval_now)
                or (hit.bound == UPPER and hit.score < eval_now)
            ):
                eval_now = hit.score
        score = worker.frames[ply - 2 + FRAMES_BEFORE].static_eval
        if ply >= 2:
            improving = score == NO_SCORE or frame.static_eval > score

    worker.frames[ply + 1 + FRAMES_BEFORE].excluded = NO_MOVE
    histories.killers[ply + 1][0] = histories.killers[ply + 1][1] = NO_MOVE

    if not is_pv and not in_check and excluded == NO_MOVE and beta > -LEAST_DECIDED:
        # Step 6. Razoring (https://www.chessprogramming.org/Razoring): so far below alpha that
        # only captures could help
        if depth <= PARAM[RAZOR_DEPTH] and eval_now + PARAM[RAZOR_MARGIN] * depth < alpha:
            score = quiesce(worker, alpha, alpha + 1, ply, 0)
            if score <= alpha or worker.over:
                return score
            worker.tainted = False

        # Step 7. Reverse futility (https://www.chessprogramming.org/Reverse_Futility_Pruning):
        # so far above beta that a margin holds
        if (
            depth <= PARAM[REVERSE_FUTILITY_DEPTH]
            and eval_now - PARAM[REVERSE_FUTILITY_MARGIN] * (depth - improving) >= beta
            and eval_now < LEAST_DECIDED
        ):
            return eval_now

        # Step 8. Null move (https://www.chessprogramming.org/Null_Move_Pruning)
        if (
            depth >= PARAM[NULL_MOVE_DEPTH]
            and eval_now >= beta
            and ply >= worker.null_ply
            and worker.frames[ply - 1 + FRAMES_BEFORE].move != NO_MOVE
            and has_attackers(&worker.pos)
        ):
            reduction = (
                PARAM[NULL_MOVE_BASE]
                + depth // PARAM[NULL_MOVE_DIVISOR]
                + clamp((eval_now - beta) // PARAM[NULL_MOVE_EVAL_DIVISOR], 0, 3)
            )
            play_null(worker, ply)
            score = -negamax(worker, -beta, 1 - beta, depth - reduction, ply + 1, not cut_node)
            take_back_null(worker)
            if worker.over:
                return 0
            if score >= beta:
                if score >= LEAST_DECIDED:
                    score = beta
                if depth < PARAM[NULL_MOVE_VERIFY_DEPTH] or worker.null_ply:
                    return score
                worker.null_ply = ply + 3 * (depth - reduction) // 4
                i = negamax(worker, beta - 1, beta, depth - reduction, ply, False)
                worker.null_ply = 0
                if i >= beta or worker.over:
                    return score
            worker.tainted = False

        # Step 9. ProbCut (https://www.chessprogramming.org/ProbCut): a capture that wins by a
        # margin at a much smaller depth will most likely win at this one
        margin = beta + PARAM[PROBCUT_MARGIN]
        if (
            depth >= PARAM[PROBCUT_DEPTH]
            and beta < LEAST_DECIDED
            and not (hit.found and hit.depth >= depth - 3 and hit.bound & UPPER
                     and hit.score < margin)
        ):
            begin_picking(&picker, NO_MOVE, False, True)
            picker.see_margin = margin - frame.static_eval
            while True:
                move = next_move(&picker, &worker.pos, histories)
                if move == NO_MOVE:
                    break
                fetch(&worker.control.table, key_after(&worker.pos, move))
                play(worker, ply, move, gives_check(&worker.pos, move))
                score = -quiesce(worker, -margin, 1 - margin, ply + 1, 0)
                if score >= margin:
                    score = -negamax(
                        worker, -margin, 1 - margin, depth - 4, ply + 1, not cut_node
                    )
                take_back(worker)
                if worker.over:
                    return 0
                if score >= margin:
                    if not worker.tainted:
                        store(
                            &worker.control.table, worker.pos.key, move, score, static_eval,
                            depth - 3, LOWER, ply,
                        )
                    return score
            worker.tainted = False

    # Step 10. Internal iterative reduction: without a table move, learn one cheaply first
    # (https://www.chessprogramming.org/Internal_Iterative_Reductions)
    if depth >= PARAM[INTERNAL_REDUCTION_DEPTH] and hit.move == NO_MOVE and excluded == NO_MOVE:
        if is_pv or cut_node:
            depth -= 1

    # Step 11. The moves, best first
    begin_picking(&picker, hit.move, in_check, False)
    picker.killers[0] = histories.killers[ply][0]
    picker.killers[1] = histories.killers[ply][1]
    before = worker.frames[ply - 1 + FRAMES_BEFORE].place
    if before >= 0:
        picker.counter = histories.counter[before]
        picker.continuation[0] = histories.continuation[before]
    if worker.frames[ply - 2 + FRAMES_BEFORE].place >= 0:
        picker.continuation[1] = histories.continuation[
            worker.frames[ply - 2 + FRAMES_BEFORE].place
        ]
    any_tainted = False
    while True:
        move = next_move(&picker, &worker.pos, histories)
        if move == NO_MOVE:
            break
        if move == excluded or (is_root and not is_root_move(worker, move)):
            continue
        count += 1
        if is_root and worker.is_main:  # in one word, of which nobody reads a half
            worker.control.at_root = (
                <uint64_t>depth << 32 | <uint64_t>(count + worker.pv_index) << 16 | move
            )
        quiet = worker.pos.board[to_square(move)] == NO_PIECE
        fetch(&worker.control.table, key_after(&worker.pos, move))
        checks = gives_check(&worker.pos, move)
        history_score = 0
        if quiet:
            place = piece_to(worker.pos.board[from_square(move)], to_square(move))
            history_score = histories.butterfly[worker.pos.turn][move]
            for i in range(2):
                if picker.continuation[i] != NULL:
                    history_score += picker.continuation[i][place]

        # Step 12. Shallow pruning, once a move is known that does not lose
        if not is_root and best > -LEAST_DECIDED and not in_check and not checks:
            lmr_depth = depth - REDUCTION[clamp(depth, 0, 63)][clamp(count, 0, 63)]
            if lmr_depth < 0:
                lmr_depth = 0
            if quiet:
                # Late moves: the rest is left out in one go
                # (https://www.chessprogramming.org/Futility_Pruning#MoveCountBasedPruning)
                if depth <= PARAM[LATE_MOVE_PRUNING_DEPTH] and count > (
                    PARAM[LATE_MOVE_PRUNING_BASE]
                    + PARAM[LATE_MOVE_PRUNING_FACTOR] * depth * depth // (2 - improving)
                ):
                    picker.skip_quiets = True
                    continue
                # Futility (https://www.chessprogramming.org/Futility_Pruning)
                if lmr_depth <= PARAM[FUTILITY_DEPTH] and (
                    frame.static_eval + PARAM[FUTILITY_BASE]
                    + PARAM[FUTILITY_MARGIN] * lmr_depth <= alpha
                ):
                    continue
                if depth <= PARAM[SEE_PRUNING_DEPTH] and not see_ge(
                    &worker.pos, move, -PARAM[SEE_QUIET_MARGIN] * lmr_depth * lmr_depth
                ):
                    continue
            elif depth <= PARAM[SEE_PRUNING_DEPTH] and not see_ge(
                &worker.pos, move, -PARAM[SEE_CAPTURE_MARGIN] * depth
            ):
                continue

        # Step 13. Extensions: a table move that stands alone, a check
        # (https://www.chessprogramming.org/Singular_Extensions,
        # https://www.chessprogramming.org/Check_Extensions)
        extension = 0
        if (
            not is_root and depth >= PARAM[SINGULAR_DEPTH] and move == hit.move
            and excluded == NO_MOVE and hit.bound & LOWER and hit.depth >= depth - 3
            and hit.score < LEAST_DECIDED and hit.score > -LEAST_DECIDED
            and ply < 2 * worker.root_depth
        ):
            margin = hit.score - PARAM[SINGULAR_MARGIN] * depth // 16
            frame.excluded = move
            tainted_before = worker.tainted
            score = negamax(worker, margin - 1, margin, (depth - 1) // 2, ply, cut_node)
            frame.excluded = NO_MOVE
            end_pv(worker, ply)
            worker.tainted = tainted_before
            if worker.over:
                return 0
            if score < margin:
                extension = 1
            elif margin >= beta:
                return margin
            elif hit.score >= beta:
                extension = -1
        elif checks and see_ge(&worker.pos, move, 0):
            extension = ply < 2 * worker.root_depth
        new_depth = depth - 1 + extension

        # Step 14. The search of the move: reduced if it comes late
        # (https://www.chessprogramming.org/Late_Move_Reductions), with a closed window unless
        # it is the first, with the full window if it may be the best
        play(worker, ply, move, checks)
        if depth >= PARAM[REDUCTION_DEPTH] and count > 1 + is_pv and quiet:
            reduction = REDUCTION[clamp(depth, 0, 63)][clamp(count, 0, 63)]
            reduction += cut_node
            reduction -= is_pv
            reduction += not improving
            reduction -= checks
            reduction -= history_score // PARAM[REDUCTION_HISTORY]
            reduction = clamp(reduction, 0, new_depth - 1 if new_depth > 1 else 0)
            score = -negamax(worker, -alpha - 1, -alpha, new_depth - reduction, ply + 1, True)
            if score > alpha and reduction > 0:
                score = -negamax(worker, -alpha - 1, -alpha, new_depth, ply + 1, not cut_node)
        elif not is_pv or count > 1:
            score = -negamax(worker, -alpha - 1, -alpha, new_depth, ply + 1, not cut_node)
        if is_pv and (count == 1 or (score > alpha and (is_root or score < beta))):
            score = -negamax(worker, -beta, -alpha, new_depth, ply + 1, False)
        take_back(worker)
        if worker.over:
            return 0

        # Step 15. Is it the best so far?
        if is_root:
            note_root_move(worker, move, score, count == 1 or score > alpha)
        if tried_count < 64:
            tried[tried_count] = move
            tried_count += 1
        if score > best:
            best = score
            if score > alpha:
                alpha = score
                best_move = move
                if is_pv:
                    extend_pv(worker, ply, move)
                if score >= beta:
                    any_tainted = worker.tainted
                    break
        any_tainted |= worker.tainted

    # Step 16. No move: mated or stalemated, which loses alike
    worker.tainted = any_tainted
    if count == 0:
        return alpha if excluded != NO_MOVE else ply - MATE

    # Step 17. What was learnt
    if best >= beta:
        learn_cutoff(worker, ply, depth, best_move, tried, tried_count)
    if excluded == NO_MOVE and not (is_root and worker.pv_index):
        bound = LOWER if best >= beta else EXACT if best_move != NO_MOVE and is_pv else UPPER
        store(
            &worker.control.table, worker.pos.key, best_move, best, static_eval,
            clamp(depth, 0, 255), NO_BOUND if any_tainted else bound, ply,
        )
        if not in_check and not any_tainted and (
            best_move == NO_MOVE or worker.pos.board[to_square(best_move)] == NO_PIECE
        ) and not (bound == LOWER and best <= frame.static_eval) and not (
            bound == UPPER and best >= frame.static_eval
        ):
            learn_correction(worker, depth, best - frame.static_eval)
    return best


# The root


cdef bint is_root_move(const Worker* worker, Move move) noexcept nogil:
    """Is this one of the moves still to be ranked?"""
    cdef int i
    for i in range(worker.pv_index, worker.root_count):
        if worker.root_moves[i].move == move:
            return True
    return False


cdef void note_root_move(Worker* worker, Move move, int score, bint is_line) noexcept nogil:
    """Keep the score and line of a root move; those that did not raise alpha go to the end."""
    cdef int i, j
    cdef RootMove* root
    for i in range(worker.pv_index, worker.root_count):
        root = &worker.root_moves[i]
        if root.move == move:
            if not is_line:
                root.score = -INFINITE
                return
            root.score = score
            root.pv[0] = move
            root.length = 1
            for j in range(clamp(worker.pv_length[1], 0, MAX_PLY - 1)):
                root.pv[j + 1] = worker.pv[1][j]
                root.length += 1
            return


cdef void sort_root_moves(Worker* worker, int first) noexcept nogil:
    """Insertion sort by score, then by the score before; stable."""
    cdef int i, j
    cdef RootMove moving
    for i in range(first + 1, worker.root_count):
        moving = worker.root_moves[i]
        j = i
        while j > first and is_better(&moving, &worker.root_moves[j - 1]):
            worker.root_moves[j] = worker.root_moves[j - 1]
            j -= 1
        worker.root_moves[j] = moving


cdef bint is_better(const RootMove* one, const RootMove* other) noexcept nogil:
    if one.score != other.score:
        return one.score > other.score
    return one.previous > other.previous


cdef int search_depth(Worker* worker, int depth) noexcept nogil:
    """One iteration for the line at ``pv_index``, in a window around the last score
    (https://www.chessprogramming.org/Aspiration_Windows). The root moves end up sorted."""
    cdef int window = PARAM[ASPIRATION_WINDOW]
    cdef int previous = worker.root_moves[worker.pv_index].previous
    cdef int alpha = -INFINITE
    cdef int beta = INFINITE
    cdef int score
    worker.root_depth = depth
    if depth >= 4 and previous > -LEAST_DECIDED and previous < LEAST_DECIDED:
        alpha = previous - window
        beta = previous + window
    while True:
        score = negamax(worker, alpha, beta, depth, 0, False)
        sort_root_moves(worker, worker.pv_index)
        if worker.over:
            return score
        if score <= alpha:
            beta = (alpha + beta) // 2
            alpha = clamp(score - window, -INFINITE, INFINITE)
        elif score >= beta:
            beta = clamp(score + window, -INFINITE, INFINITE)
        else:
            return score
        window += window // 2
        if window > 1000:
            alpha = -INFINITE
            beta = INFINITE


cdef void deepen(Worker* worker, int depth) noexcept nogil:
    """A helper's search: the same tree, until the others are done."""
    cdef int i
    while depth < MAX_DEPTH and not worker.over and not worker.control.stop:
        for i in range(worker.root_count):
            worker.root_moves[i].previous = worker.root_moves[i].score
        search_depth(worker, depth)
        depth += 1
