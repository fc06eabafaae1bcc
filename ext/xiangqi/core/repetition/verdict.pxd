"""From both sides' conducts to the verdict."""

from xiangqi.core.repetition.rules cimport Rules

cdef enum:  # Verdict
    UNDECIDED
    DRAW
    RED_WINS
    BLACK_WINS

cdef int verdict_of(int red, int black, const Rules* rules) noexcept nogil
