"""The verdict is a table, so that a rule book may have another."""

from xiangqi.core.repetition.conduct cimport CONDUCTS, IDLE, PERPETUAL_CHASE, PERPETUAL_CHECK

# The verdict table: [Red's conduct][Black's conduct].
cdef int[CONDUCTS][CONDUCTS] VERDICTS
VERDICTS[IDLE][:] = [DRAW, RED_WINS, RED_WINS]
VERDICTS[PERPETUAL_CHASE][:] = [BLACK_WINS, DRAW, RED_WINS]
VERDICTS[PERPETUAL_CHECK][:] = [BLACK_WINS, BLACK_WINS, DRAW]


cdef int verdict_of(int red, int black) noexcept nogil:
    """The side with the graver conduct loses; like against like is a draw."""
    return VERDICTS[red][black]
