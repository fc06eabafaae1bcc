"""Gains by captures and checks, in the piece values of the Chinese rules."""

from xiangqi.core.moves.bitboard cimport Bitboard
from xiangqi.core.moves.defs cimport Move, int64_t
from xiangqi.core.moves.position cimport Position

cdef enum:
    MAX_PLIES = 32
    MAX_BANNED = 16
    MATED = 20000       # more than all material
    REPAID = 10         # even: the gain of the exchange is lost elsewhere
    FLOATED = 5         # even: pieces are won in the exchange, only soldiers lost elsewhere

cdef struct Account:
    int pieces          # in halves of a horse
    int soldiers        # crossed ones

cdef struct GainSearch:
    Position pos        # the attacker is to move
    int attacker        # color
    int64_t nodes       # moves made so far
    int64_t limit       # of nodes
    bint stopped        # the limit was reached
    int plies           # maximum length of a line
    int check_plies     # quiet checks are searched in the first check_plies plies only
    # `alone`, `idle` and `banned` do not bind the attacker in check.
    bint alone          # only one piece of the attacker moves, and only its checks must be answered
    bint local          # only recaptures on the square of the last capture
    int idle            # a square whose piece the attacker may not move; SQUARES for none
    Bitboard aims       # squares of the defender's pieces; without capturing one, nothing is won
    int banned_count    # moves that the attacker may not make
    Move[MAX_BANNED] banned
    Account total       # won so far
    Account exchange    # the same, not counting losses of the attacker's unmoved pieces
    int[MAX_PLIES + 1] length
    Move[MAX_PLIES + 1][MAX_PLIES + 1] line  # best line from each ply

cdef int gain_score(Account won) noexcept nogil
cdef int find_gain(GainSearch* search, Move move, int alpha, int beta) noexcept nogil
