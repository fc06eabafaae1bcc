"""Stages: table move, good captures, killers, counter move, quiet moves by history, bad captures;
in check, all evasions in one list."""

from xiangqi.core.moves.defs cimport NO_MOVE, NO_PIECE, from_square, kind_of, to_square
from xiangqi.core.moves.movegen cimport (
    generate_captures, generate_evasions, generate_quiets, is_legal,
)
from xiangqi.core.moves.see cimport EXCHANGE_VALUE, see_ge
from xiangqi.core.search.history cimport NEAR_CONTINUATIONS, PIECE_TOS, piece_to

cdef enum:
    VICTIM_WEIGHT = 16         # of the victim's value, against the capture history
    CAPTURES_FIRST = 1 << 24   # added to captures among evasions

cdef int16_t[PIECE_TOS] NO_HISTORY  # a row of zeros


cdef void init_picker(
    Picker* picker, Move tt_move, bint in_check, bint captures_only
) noexcept nogil:
    """Start a picker. The caller sets killers, counter move and history rows.

    ``tt_move`` must be legal or NO_MOVE, and a capture if ``captures_only``.
    """
    cdef int i
    picker.tt_move = tt_move
    picker.in_check = in_check
    picker.captures_only = captures_only
    picker.skip_quiets = False
    picker.stage = TT_MOVE
    picker.killers[0] = picker.killers[1] = picker.counter = NO_MOVE
    for i in range(CONTINUATIONS):
        picker.continuation[i] = NO_HISTORY
    picker.pawns = NO_HISTORY
    picker.far_weight = picker.pawn_weight = 0
    picker.see_margin = 0
    picker.bad_count = 0
    picker.next = 0


cdef int capture_score(
    const Position* pos, const Histories* histories, Move move
) noexcept nogil:
    """Most valuable victim first, then capture history."""
    cdef int target = to_square(move)
    cdef int victim = kind_of(pos.board[target])
    return VICTIM_WEIGHT * EXCHANGE_VALUE[victim] + histories.captures[
        piece_to(pos.board[from_square(move)], target)
    ][victim]


cdef int quiet_score(
    const Picker* picker, const Position* pos, const Histories* histories, Move move
) noexcept nogil:
    """History score of a quiet move: butterfly, continuations, pawn structure."""
    cdef int index = piece_to(pos.board[from_square(move)], to_square(move))
    cdef int score = histories.butterfly[pos.turn][move]
    cdef int i
    for i in range(NEAR_CONTINUATIONS):
        score += picker.continuation[i][index]
    for i in range(NEAR_CONTINUATIONS, CONTINUATIONS):
        score += picker.continuation[i][index] * picker.far_weight // 100
    return score + picker.pawns[index] * picker.pawn_weight // 100


cdef void score_captures(
    Picker* picker, const Position* pos, const Histories* histories
) noexcept nogil:
    """Score all captures."""
    cdef int i
    for i in range(picker.captures.count):
        picker.scores[i] = capture_score(pos, histories, picker.captures.moves[i])
    picker.next = 0


cdef void score_quiets(
    Picker* picker, const Position* pos, const Histories* histories
) noexcept nogil:
    """Score all quiet moves, or all evasions."""
    cdef int i
    cdef Move move
    for i in range(picker.quiets.count):
        move = picker.quiets.moves[i]
        if pos.board[to_square(move)] != NO_PIECE:
            picker.scores[i] = CAPTURES_FIRST + capture_score(pos, histories, move)
        else:
            picker.scores[i] = quiet_score(picker, pos, histories, move)
    picker.next = 0


cdef Move pick_best(Picker* picker, MoveList* moves) noexcept nogil:
    """Best move left in the list, or NO_MOVE: one step of a selection sort. The maximum is found
    without its index, so that the loop uses vector instructions."""
    cdef int i
    cdef int best = picker.next
    cdef Move move
    cdef int score
    if picker.next >= moves.count:
        return NO_MOVE
    score = picker.scores[best]
    for i in range(picker.next + 1, moves.count):
        score = max(score, picker.scores[i])
    while picker.scores[best] != score:
        best += 1
    move = moves.moves[best]
    moves.moves[best] = moves.moves[picker.next]
    picker.scores[best] = picker.scores[picker.next]
    moves.moves[picker.next] = move
    picker.scores[picker.next] = score
    picker.next += 1
    return move


cdef bint is_tried(const Picker* picker, Move move) noexcept nogil:
    """Was this quiet move tried before the quiet moves were generated?"""
    return (
        move == picker.tt_move
        or move == picker.killers[0]
        or move == picker.killers[1]
        or move == picker.counter
    )


cdef bint is_usable_quiet(const Picker* picker, const Position* pos, Move move) noexcept nogil:
    """Is a killer or counter move quiet, legal and not yet tried?"""
    return (
        move != NO_MOVE
        and move != picker.tt_move
        and pos.board[to_square(move)] == NO_PIECE
        and is_legal(pos, move)
    )


cdef Move next_move(Picker* picker, const Position* pos, const Histories* histories) noexcept nogil:
    """Next legal move to try, or NO_MOVE at the end."""
    cdef Move move
    while True:
        if picker.stage == TT_MOVE:
            picker.stage = GENERATE_EVASIONS if picker.in_check else GENERATE_CAPTURES
            if picker.tt_move != NO_MOVE:
                return picker.tt_move

        elif picker.stage == GENERATE_CAPTURES:
            generate_captures(pos, &picker.captures)
            score_captures(picker, pos, histories)
            picker.stage = GOOD_CAPTURES

        elif picker.stage == GOOD_CAPTURES:
            move = pick_best(picker, &picker.captures)
            if move == NO_MOVE:
                picker.stage = DONE if picker.captures_only else FIRST_KILLER
            elif move != picker.tt_move:
                if see_ge(pos, move, picker.see_margin):
                    return move
                if not picker.captures_only:
                    picker.captures.moves[picker.bad_count] = move
                    picker.bad_count += 1

        elif picker.stage == FIRST_KILLER:
            picker.stage = SECOND_KILLER
            if is_usable_quiet(picker, pos, picker.killers[0]):
                return picker.killers[0]
            picker.killers[0] = NO_MOVE

        elif picker.stage == SECOND_KILLER:
            picker.stage = COUNTER_MOVE
            if is_usable_quiet(picker, pos, picker.killers[1]):
                return picker.killers[1]
            picker.killers[1] = NO_MOVE

        elif picker.stage == COUNTER_MOVE:
            picker.stage = GENERATE_QUIETS
            if (
                picker.counter != picker.killers[0]
                and picker.counter != picker.killers[1]
                and is_usable_quiet(picker, pos, picker.counter)
            ):
                return picker.counter
            picker.counter = NO_MOVE

        elif picker.stage == GENERATE_QUIETS:
            generate_quiets(pos, &picker.quiets)
            score_quiets(picker, pos, histories)
            picker.stage = QUIETS

        elif picker.stage == QUIETS:
            move = NO_MOVE if picker.skip_quiets else pick_best(picker, &picker.quiets)
            if move == NO_MOVE:
                picker.stage = BAD_CAPTURES
                picker.next = 0
            elif not is_tried(picker, move):
                return move

        elif picker.stage == BAD_CAPTURES:
            if picker.next == picker.bad_count:
                picker.stage = DONE
            else:
                picker.next += 1
                return picker.captures.moves[picker.next - 1]

        elif picker.stage == GENERATE_EVASIONS:
            generate_evasions(pos, &picker.quiets)
            score_quiets(picker, pos, histories)
            picker.stage = EVASIONS

        elif picker.stage == EVASIONS:
            move = pick_best(picker, &picker.quiets)
            if move == NO_MOVE:
                picker.stage = DONE
            elif move != picker.tt_move:
                return move

        else:
            return NO_MOVE
