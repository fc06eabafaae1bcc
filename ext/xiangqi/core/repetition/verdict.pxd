"""From both sides' conducts to the verdict."""

cdef enum:  # Verdict
    UNDECIDED
    DRAW
    RED_WINS
    BLACK_WINS

cdef int verdict_of(int red, int black) noexcept nogil
