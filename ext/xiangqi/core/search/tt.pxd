"""The transposition table (https://www.chessprogramming.org/Transposition_Table).

Each entry is two words, the key crossed with the data and the data; a pair torn by two threads
writing at once does not match any key (Hyatt and Mann, "A lockless transposition table
implementation for parallel search", ICGA Journal 25, 2002). Four entries fill a cache line.
"""

from xiangqi.core.moves.defs cimport Key, Move, uint64_t, uint8_t

cdef enum:  # Bound
    NO_BOUND   # only the move and the static evaluation are valid
    UPPER      # the score is at most this
    LOWER      # at least this
    EXACT

cdef struct Entry:
    uint64_t check       # key ^ data
    uint64_t data

cdef struct Table:
    Entry* entries
    uint64_t clusters
    uint8_t age

cdef struct TTData:      # an unpacked entry, its score relative to the root
    bint found
    Move move
    int score
    int static_eval
    int depth
    int bound

cdef bint allocate(Table* table, uint64_t megabytes) noexcept nogil
cdef void free_table(Table* table) noexcept nogil
cdef void clear_table(Table* table) noexcept nogil
cdef void new_search(Table* table) noexcept nogil
cdef TTData probe(const Table* table, Key key, int ply) noexcept nogil
cdef void store(
    Table* table, Key key, Move move, int score, int static_eval, int depth, int bound, int ply,
    int keep
) noexcept nogil
cdef void prefetch(const Table* table, Key key) noexcept nogil
cdef int hashfull(const Table* table) noexcept nogil
cdef int score_from_tt(int score, int ply) noexcept nogil
