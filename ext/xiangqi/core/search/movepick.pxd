"""Move picker (https://www.chessprogramming.org/Move_Ordering): stages, each generated when it is
reached."""

from xiangqi.core.moves.defs cimport MAX_MOVES, Move, int16_t
from xiangqi.core.moves.movegen cimport MoveList
from xiangqi.core.moves.position cimport Position
from xiangqi.core.search.history cimport CONTINUATIONS, Histories

cdef enum:  # Stage
    TT_MOVE
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
    DONE

cdef struct Picker:
    int stage
    bint in_check
    bint captures_only
    bint skip_quiets               # set by late-move pruning
    int see_margin                 # SEE threshold of good captures
    Move tt_move
    Move killers[2]
    Move counter
    const int16_t* continuation[CONTINUATIONS]  # continuation history rows
    const int16_t* pawns           # pawn history row
    int far_weight                 # of far continuations, percent
    int pawn_weight                # of the pawn history, percent
    MoveList captures
    MoveList quiets                # in check: all evasions
    int scores[MAX_MOVES]          # of the current list
    int next                       # index of the next move in the current list
    int bad_count                  # bad captures, kept at the front of `captures`

cdef void init_picker(
    Picker* picker, Move tt_move, bint in_check, bint captures_only
) noexcept nogil
cdef int quiet_score(
    const Picker* picker, const Position* pos, const Histories* histories, Move move
) noexcept nogil
cdef Move next_move(Picker* picker, const Position* pos, const Histories* histories) noexcept nogil
