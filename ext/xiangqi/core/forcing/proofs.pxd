"""Mate by any moves: both sides have all legal moves, checks or not."""

from xiangqi.core.moves.defs cimport Key, Move, int64_t, uint8_t, uint16_t, uint64_t
from xiangqi.core.moves.position cimport Position

cdef enum:
    MAX_MATING_MOVES = 60
    PROOF_LINE = 2 * MAX_MATING_MOVES
    PROOF_NODES = 1 << 15  # nodes between two checks for a stop, a few milliseconds

cdef struct Numbers:    # proof numbers of a position; if one is 0, the other is NEVER
    uint16_t wins       # least number of leaves to prove that the side to move wins
    uint16_t loses      # least number of leaves to prove that it loses
    uint8_t left        # moves within which the mate is proved or disproved
    uint8_t effort      # binary logarithm of the nodes spent; 0 for an empty entry
    Move move           # the attacker's first move of a proved mate

cdef struct ProofEntry:
    Key key
    Numbers numbers

cdef struct ProofSearch:
    Position pos        # the attacker is to move
    int64_t nodes       # moves made so far
    int64_t limit       # of nodes
    bint stopped        # the limit was reached
    uint64_t mask
    ProofEntry* table   # WAYS * (mask + 1) entries
    Numbers found       # of the root
    int length          # of the mate's line
    Move[PROOF_LINE] line

cdef bint open_proofs(ProofSearch* search, int64_t limit) noexcept nogil
cdef void close_proofs(ProofSearch* search) noexcept nogil
cdef bint prove(ProofSearch* search, int max_moves, int64_t limit) noexcept nogil
cdef void read_proof(ProofSearch* search) noexcept nogil
