"""Gains of lines of captures and checks, in the values of the Chinese rules."""

from xiangqi.core.moves.bitboard cimport Bitboard
from xiangqi.core.moves.defs cimport Move, int64_t
from xiangqi.core.moves.position cimport Position

cdef enum:
    MAX_PLIES = 32
    MAX_BANNED = 16
    MATED = 20000       # a score beyond all material
    REPAID = 10         # an even score: what the exchange wins is lost elsewhere
    FLOATED = 5         # the same, with only soldiers lost elsewhere for other pieces

cdef struct Account:
    int pieces          # in halves of a horse
    int soldiers        # crossed ones

cdef struct GainSearch:
    Position pos        # the attacker is to move
    int attacker        # color
    int64_t nodes       # moves made so far
    int64_t limit
    bint stopped        # the limit came before an answer
    int plies           # no line is longer
    int check_plies     # quiet checks only among the first check_plies
    bint alone          # the attacker wins with one piece alone
    bint local          # both sides only take back where the last capture was, or stop
    int idle            # a square whose piece wins nothing; SQUARES for none
    Bitboard aims       # squares of the defender's pieces of which one has to be taken, if any
    int banned_count    # moves by which the attacker wins nothing
    Move[MAX_BANNED] banned
    Account total       # won so far
    Account exchange    # the same without losses of pieces that had not moved
    int[MAX_PLIES + 1] length
    Move[MAX_PLIES + 1][MAX_PLIES + 1] line  # from each ply, in its row, the best line

cdef int gain_score(Account won) noexcept nogil
cdef int find_gain(GainSearch* search, Move move, int least, int most) noexcept nogil
