"""Moves one at a time, the likely best first, each stage generated only when it is reached."""

from xiangqi.core.moves.defs cimport MAX_MOVES, Move, int16_t
from xiangqi.core.moves.movegen cimport MoveList
from xiangqi.core.moves.position cimport Position
from xiangqi.core.search.history cimport CONTINUATIONS, Histories

cdef enum:  # Stage
    TABLE_MOVE
    GENERATE_CAPTURES
    GOOD_CAPTURES
    FIRST_KILLER
    SECOND_KILLER
    COUNTER_MOVE
    GENERATE_QUIETS
    QUIETS
    BAD_CAPTURES
    GENERATE_EVASIONS
    EVASIONS
    NO_MORE

cdef struct Picker:
    int stage
    bint in_check
    bint captures_only
    bint skip_quiets               # set by the caller: enough quiet moves have been seen
    int see_margin                 # a capture is good if its exchange wins at least this
    Move table_move
    Move killers[2]
    Move counter
    const int16_t* continuation[CONTINUATIONS]  # rows of the continuation history
    const int16_t* pawns           # a row of the history by soldiers
    int far_weight                 # of the far continuations, percent
    int pawn_weight                # of the history by soldiers, percent
    MoveList captures
    MoveList quiets                # in check: all evasions
    int scores[MAX_MOVES]          # of the list that is being picked from
    int next                       # index of the next move of that list
    int bad_count                  # bad captures set aside at the front of `captures`

cdef void begin_picking(
    Picker* picker, Move table_move, bint in_check, bint captures_only
) noexcept nogil
cdef int quiet_score(
    const Picker* picker, const Position* pos, const Histories* histories, Move move
) noexcept nogil
cdef Move next_move(Picker* picker, const Position* pos, const Histories* histories) noexcept nogil
