"""The stages: the table's move, good captures, killers, the counter move, quiet moves by
history, bad captures last; in check, all evasions in one list.

(https://www.chessprogramming.org/Move_Ordering)
"""

from xiangqi.core.moves.defs cimport NO_MOVE, NO_PIECE, from_square, kind_of, to_square
from xiangqi.core.moves.movegen cimport (
    generate_captures, generate_evasions, generate_quiets, is_legal,
)
from xiangqi.core.moves.see cimport EXCHANGE_VALUE, see_ge
from xiangqi.core.search.history cimport NEAR_CONTINUATIONS, PIECE_TOS, piece_to

cdef enum:
    VICTIM_WEIGHT = 16         # the captured piece's value against its capture history
    CAPTURES_FIRST = 1 << 24   # among evasions

cdef int16_t[PIECE_TOS] NOTHING  # a row of zeros, where there is no history


cdef void begin_picking(
    Picker* picker, Move table_move, bint in_check, bint captures_only
) noexcept nogil:
    """Start over. Killers, counter move and history rows are the caller's to fill in.

    ``table_move`` must be legal or NO_MOVE, and a capture if only captures are wanted.
    """
    cdef int i
    picker.table_move = table_move
    picker.in_check = in_check
    picker.captures_only = captures_only
    picker.skip_quiets = False
    picker.stage = TABLE_MOVE
    picker.killers[0] = picker.killers[1] = picker.counter = NO_MOVE
    for i in range(CONTINUATIONS):
        picker.continuation[i] = NOTHING
    picker.pawns = NOTHING
    picker.far_weight = picker.pawn_weight = 0
    picker.see_margin = 0
    picker.bad_count = 0
    picker.next = 0


cdef int capture_score(
    const Position* pos, const Histories* histories, Move move
) noexcept nogil:
    """Most valuable victim first, then what such captures were worth before."""
    cdef int target = to_square(move)
    cdef int victim = kind_of(pos.board[target])
    return VICTIM_WEIGHT * EXCHANGE_VALUE[victim] + histories.captures[
        piece_to(pos.board[from_square(move)], target)
    ][victim]


cdef int quiet_score(
    const Picker* picker, const Position* pos, const Histories* histories, Move move
) noexcept nogil:
    """What this move was worth anywhere, and after the moves before it."""
    cdef int place = piece_to(pos.board[from_square(move)], to_square(move))
    cdef int score = histories.butterfly[pos.turn][move]
    cdef int i
    for i in range(NEAR_CONTINUATIONS):
        score += picker.continuation[i][place]
    for i in range(NEAR_CONTINUATIONS, CONTINUATIONS):
        score += picker.continuation[i][place] * picker.far_weight // 100
    return score + picker.pawns[place] * picker.pawn_weight // 100


cdef void score_captures(
    Picker* picker, const Position* pos, const Histories* histories
) noexcept nogil:
    cdef int i
    for i in range(picker.captures.count):
        picker.scores[i] = capture_score(pos, histories, picker.captures.moves[i])
    picker.next = 0


cdef void score_quiets(
    Picker* picker, const Position* pos, const Histories* histories
) noexcept nogil:
    cdef int i
    cdef Move move
    for i in range(picker.quiets.count):
        move = picker.quiets.moves[i]
        if pos.board[to_square(move)] != NO_PIECE:
            picker.scores[i] = CAPTURES_FIRST + capture_score(pos, histories, move)
        else:
            picker.scores[i] = quiet_score(picker, pos, histories, move)
    picker.next = 0


cdef Move take_best(Picker* picker, MoveList* moves) noexcept nogil:
    """The best move that is left in a list; NO_MOVE when none is. One step of a selection sort; a
    maximum alone, without its place, is a loop for vector instructions."""
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


cdef bint is_special(const Picker* picker, Move move) noexcept nogil:
    """Was this quiet move tried before the quiet moves were made?"""
    return (
        move == picker.table_move
        or move == picker.killers[0]
        or move == picker.killers[1]
        or move == picker.counter
    )


cdef bint is_playable_quiet(const Picker* picker, const Position* pos, Move move) noexcept nogil:
    """May a remembered quiet move be tried here, out of turn?"""
    return (
        move != NO_MOVE
        and move != picker.table_move
        and pos.board[to_square(move)] == NO_PIECE
        and is_legal(pos, move)
    )


cdef Move next_move(Picker* picker, const Position* pos, const Histories* histories) noexcept nogil:
    """The next move to try, or NO_MOVE when all have been given out. All are legal."""
    cdef Move move
    while True:
        if picker.stage == TABLE_MOVE:
            picker.stage = GENERATE_EVASIONS if picker.in_check else GENERATE_CAPTURES
            if picker.table_move != NO_MOVE:
                return picker.table_move

        elif picker.stage == GENERATE_CAPTURES:
            generate_captures(pos, &picker.captures)
            score_captures(picker, pos, histories)
            picker.stage = GOOD_CAPTURES

        elif picker.stage == GOOD_CAPTURES:
            move = take_best(picker, &picker.captures)
            if move == NO_MOVE:
                picker.stage = NO_MORE if picker.captures_only else FIRST_KILLER
            elif move != picker.table_move:
                if see_ge(pos, move, picker.see_margin):
                    return move
                if not picker.captures_only:
                    picker.captures.moves[picker.bad_count] = move
                    picker.bad_count += 1

        elif picker.stage == FIRST_KILLER:
            picker.stage = SECOND_KILLER
            if is_playable_quiet(picker, pos, picker.killers[0]):
                return picker.killers[0]
            picker.killers[0] = NO_MOVE

        elif picker.stage == SECOND_KILLER:
            picker.stage = COUNTER_MOVE
            if is_playable_quiet(picker, pos, picker.killers[1]):
                return picker.killers[1]
            picker.killers[1] = NO_MOVE

        elif picker.stage == COUNTER_MOVE:
            picker.stage = GENERATE_QUIETS
            if (
                picker.counter != picker.killers[0]
                and picker.counter != picker.killers[1]
                and is_playable_quiet(picker, pos, picker.counter)
            ):
                return picker.counter
            picker.counter = NO_MOVE

        elif picker.stage == GENERATE_QUIETS:
            generate_quiets(pos, &picker.quiets)
            score_quiets(picker, pos, histories)
            picker.stage = QUIETS

        elif picker.stage == QUIETS:
            move = NO_MOVE if picker.skip_quiets else take_best(picker, &picker.quiets)
            if move == NO_MOVE:
                picker.stage = BAD_CAPTURES
                picker.next = 0
            elif not is_special(picker, move):
                return move

        elif picker.stage == BAD_CAPTURES:
            if picker.next == picker.bad_count:
                picker.stage = NO_MORE
            else:
                picker.next += 1
                return picker.captures.moves[picker.next - 1]

        elif picker.stage == GENERATE_EVASIONS:
            generate_evasions(pos, &picker.quiets)
            score_quiets(picker, pos, histories)
            picker.stage = EVASIONS

        elif picker.stage == EVASIONS:
            move = take_best(picker, &picker.quiets)
            if move == NO_MOVE:
                picker.stage = NO_MORE
            elif move != picker.table_move:
                return move

        else:
            return NO_MOVE
