"""The verdict is a table, so that a rule book may have another."""

from xiangqi.core.repetition.conduct cimport CONDUCTS, IDLE, PERPETUAL_CHASE, PERPETUAL_CHECK

# The verdict table: [Red's conduct][Black's conduct].
cdef int[CONDUCTS][CONDUCTS] VERDICTS
VERDICTS[IDLE][:] = [DRAW, RED_WINS, RED_WINS]
VERDICTS[PERPETUAL_CHASE][:] = [BLACK_WINS, DRAW, RED_WINS]
VERDICTS[PERPETUAL_CHECK][:] = [BLACK_WINS, BLACK_WINS, DRAW]


cdef int verdict_of(int red, int black) noexcept nogil:
    """What both conducts come to.

    GRAVER_LOSES (article 6): check is graver than chase, and chase than anything else; the side
    with the graver conduct loses. Decides D1.

    LIKE_DRAWS (articles 7, 22): like against like is a draw. Decides D4, D48, X1.
    """
    return VERDICTS[red][black]
