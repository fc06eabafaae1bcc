"""The verdict, by a table of the rule set."""

from xiangqi.core.repetition.conduct cimport CONDUCTS


cdef int verdict_of(int red, int black, const Rules* rules) noexcept nogil:
    """Verdict on both conducts. The table of the WXF rules:

    GRAVER_LOSES (article 6): check is graver than chase, and chase than any other conduct; the side
    with the graver conduct loses. Decides D1.

    LIKE_DRAWS (articles 7, 22): equal conducts are a draw. Decides D4, D48, X1.
    """
    if rules.verdicts >> (CONDUCTS * red + black) & 1:
        return BLACK_WINS
    if rules.verdicts >> (CONDUCTS * black + red) & 1:
        return RED_WINS
    return DRAW
