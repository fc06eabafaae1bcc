"""Mate by any moves, checks or not: the attacker moves as it likes, the defender as well."""

from xiangqi.core.moves.defs cimport Key, Move, int64_t, uint8_t, uint16_t, uint64_t
from xiangqi.core.moves.position cimport Position

cdef enum:
    MAX_MATING_MOVES = 60
    PROOF_LINE = 2 * MAX_MATING_MOVES
    PROOF_NODES = 1 << 15  # a few milliseconds, after which it is time to look whether to go on

cdef struct Numbers:    # how far a position is from being settled
    uint16_t wins       # leaves that would have to turn out well for the side to move, at least
    uint16_t loses      # and for the other side; 0 where that is proved, and the other is NEVER
    uint8_t left        # moves within which the mate is proved or disproved
    uint8_t effort      # the binary logarithm of what it took; 0 only where nothing is known
    Move move           # the attacker's first one, if mate is proved

cdef struct ProofEntry:
    Key key
    Numbers numbers

cdef struct ProofSearch:
    Position pos        # the attacker is to move
    int64_t nodes       # moves made so far
    int64_t limit
    bint stopped        # the limit came before an answer
    uint64_t mask
    ProofEntry* table   # WAYS * (mask + 1) entries
    Numbers found       # of the position itself
    int length          # of the line of the mate
    Move[PROOF_LINE] line

cdef bint open_proofs(ProofSearch* search, int64_t limit) noexcept nogil
cdef void close_proofs(ProofSearch* search) noexcept nogil
cdef bint prove(ProofSearch* search, int most, int64_t limit) noexcept nogil
cdef void read_proof(ProofSearch* search) noexcept nogil
