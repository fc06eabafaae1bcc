"""The verdict on both sides' conducts."""

from xiangqi.core.repetition.rules cimport Rules

cdef enum:  # Verdict
    UNDECIDED
    DRAW
    RED_WINS
    BLACK_WINS

cdef int verdict_of(int red, int black, const Rules* rules) noexcept nogil
