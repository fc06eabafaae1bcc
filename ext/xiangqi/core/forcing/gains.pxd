"""What lines of captures and checks win, in the reckoning of the Chinese rules."""

from xiangqi.core.moves.defs cimport Move, int64_t
from xiangqi.core.moves.position cimport Position

cdef enum:
    MOST_PLIES = 32
    MOST_BANNED = 16
    MATED = 20000       # a score beyond all material

cdef struct GainSearch:
    Position pos        # the attacker is to move
    int attacker        # color
    int64_t nodes       # moves made so far
    int64_t limit
    bint stopped        # the limit came before an answer
    int plies           # no line is longer
    int check_plies     # checks that capture nothing stand among the first so many
    bint alone          # the attacker wins with one piece alone
    bint local          # both sides only take back where the last capture was, or stop
    int idle            # a square whose piece wins nothing; SQUARES for none
    int banned_count    # moves by which the attacker wins nothing
    Move[MOST_BANNED] banned
    int pieces          # won so far, in halves of a horse
    int soldiers        # and crossed soldiers
    int[MOST_PLIES + 1] length
    Move[MOST_PLIES + 1][MOST_PLIES + 1] line  # from each ply, in its row, the best line

cdef int gain_score(int pieces, int soldiers) noexcept nogil
cdef int find_gain(GainSearch* search, Move move, int least, int most) noexcept nogil
