"""The numbers of the search, by name and in this order.

``xiangqi.engine.parameters`` gives each its default and meaning.
"""

cpdef enum Parameter:
    ASPIRATION_WINDOW
    RAZOR_DEPTH
    RAZOR_MARGIN
    REVERSE_FUTILITY_DEPTH
    REVERSE_FUTILITY_MARGIN
    NULL_MOVE_DEPTH
    NULL_MOVE_BASE
    NULL_MOVE_DIVISOR
    NULL_MOVE_EVAL_DIVISOR
    NULL_MOVE_VERIFY_DEPTH
    PROBCUT_DEPTH
    PROBCUT_MARGIN
    INTERNAL_REDUCTION_DEPTH
    LATE_MOVE_PRUNING_DEPTH
    LATE_MOVE_PRUNING_BASE
    LATE_MOVE_PRUNING_FACTOR
    FUTILITY_DEPTH
    FUTILITY_BASE
    FUTILITY_MARGIN
    SEE_PRUNING_DEPTH
    SEE_CAPTURE_MARGIN
    SEE_QUIET_MARGIN
    SINGULAR_DEPTH
    SINGULAR_MARGIN
    REDUCTION_DEPTH
    REDUCTION_BASE
    REDUCTION_DIVISOR
    REDUCTION_HISTORY
    HISTORY_SLOPE
    HISTORY_MOST
    CORRECTION_WEIGHT
    DELTA_MARGIN
    RECAPTURE_DEPTH
    BELIEVED_OCCURRENCES

cdef enum:
    PARAMETERS = BELIEVED_OCCURRENCES + 1

cdef enum:
    REDUCTION_SIDE = 64      # depths and numbers of moves from here on are reduced alike

cdef struct Tuning:          # the numbers of one engine's search
    int value[PARAMETERS]
    int reduction[REDUCTION_SIDE][REDUCTION_SIDE]  # [depth][number of the move]

cdef void fill_tuning(Tuning* tuning, const int* values) noexcept nogil
