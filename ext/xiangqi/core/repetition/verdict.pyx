"""The verdict is a table, so that a rule book may have another."""

from xiangqi.core.repetition.conduct cimport CONDUCTS


cdef int verdict_of(int red, int black, const Rules* rules) noexcept nogil:
    """Verdict on both conducts, by the table of the rule set. That of the WXF rules:

    GRAVER_LOSES (article 6): check is graver than chase, and chase than anything else; the side
    with the graver conduct loses. Decides D1.

    LIKE_DRAWS (articles 7, 22): like against like is a draw. Decides D4, D48, X1.
    """
    if rules.losses >> (CONDUCTS * red + black) & 1:
        return BLACK_WINS
    if rules.losses >> (CONDUCTS * black + red) & 1:
        return RED_WINS
    return DRAW
