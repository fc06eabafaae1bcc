"""Packing, finding and replacing entries.

``data`` holds, from bit 0: move (14), bound (2), depth (8), age (8), score (16), static
evaluation (16). Mate scores are kept as seen from the position, not from the root.
"""

from libc.string cimport memset

from xiangqi.core.evaluation.scores cimport WIN_IN_MAX
from xiangqi.core.moves.defs cimport NO_MOVE, int16_t
from xiangqi.core.system.bits cimport prefetch
from xiangqi.core.system.memory cimport allocate_pages, free_pages

cdef enum:
    CLUSTER = 4
    LINE = 64
    MOVE_BITS = (1 << 14) - 1
    AGE_BITS = 255
    AGE_WEIGHT = 8   # plies of depth that one search of age is worth


cdef bint allocate(Table* table, uint64_t megabytes) noexcept nogil:
    """Make a table of about this size; on failure the table stays as it was."""
    cdef uint64_t clusters = megabytes * 1024 * 1024 // LINE
    cdef Entry* entries = <Entry*>allocate_pages(clusters * LINE)
    if entries == NULL:
        return False
    release(table)
    table.entries = entries
    table.clusters = clusters
    table.age = 0
    return True


cdef void release(Table* table) noexcept nogil:
    free_pages(table.entries)
    table.entries = NULL
    table.clusters = 0


cdef void wipe(Table* table) noexcept nogil:
    memset(table.entries, 0, table.clusters * LINE)
    table.age = 0


cdef void begin_search(Table* table) noexcept nogil:
    """Entries of earlier searches are now older, and the first to go."""
    table.age += 1


cdef inline Entry* cluster_of(const Table* table, Key key) noexcept nogil:
    """The upper half of the key, scaled to the number of clusters."""
    return &table.entries[((key >> 32) * table.clusters >> 32) * CLUSTER]


cdef void fetch(const Table* table, Key key) noexcept nogil:
    """Ask the memory for a cluster that will be read soon."""
    prefetch(cluster_of(table, key))


cdef inline int depth_of(uint64_t data) noexcept nogil:
    return <int>(data >> 16) & 255


cdef inline int bound_of(uint64_t data) noexcept nogil:
    return <int>(data >> 14) & 3


cdef inline int age_of(uint64_t data) noexcept nogil:
    return <int>(data >> 24) & AGE_BITS


cdef inline int to_table(int score, int ply) noexcept nogil:
    if score >= WIN_IN_MAX:
        return score + ply
    if score <= -WIN_IN_MAX:
        return score - ply
    return score


cdef int from_table(int score, int ply) noexcept nogil:
    """A stored score as seen from the root."""
    if score >= WIN_IN_MAX:
        return score - ply
    if score <= -WIN_IN_MAX:
        return score + ply
    return score


cdef Hit probe(const Table* table, Key key, int ply) noexcept nogil:
    cdef Hit hit
    cdef Entry* entry = cluster_of(table, key)
    cdef uint64_t data
    cdef int i
    for i in range(CLUSTER):
        data = entry[i].data
        if (entry[i].check ^ data) == key and data != 0:
            hit.found = True
            hit.move = <Move>(data & MOVE_BITS)
            hit.bound = bound_of(data)
            hit.depth = depth_of(data)
            hit.score = from_table(<int16_t>((data >> 32) & 0xFFFF), ply)
            hit.static_eval = <int16_t>((data >> 48) & 0xFFFF)
            return hit
    hit.found = False
    hit.move = NO_MOVE
    hit.bound = NO_BOUND
    hit.depth = hit.score = hit.static_eval = 0
    return hit


cdef inline int worth(const Table* table, uint64_t data) noexcept nogil:
    """How dear an entry is: deep and recent ones are kept."""
    return depth_of(data) - AGE_WEIGHT * ((table.age - age_of(data)) & AGE_BITS)


cdef void store(
    Table* table, Key key, Move move, int score, int static_eval, int depth, int bound, int ply,
    int keep
) noexcept nogil:
    """Keep a result, in the position's own entry or in place of the cheapest of its cluster.

    Where the position's own entry is deeper by more than ``keep`` plies, a bound does not take its
    place: the entry only becomes one of this search, and learns the move.
    """
    cdef Entry* entry = cluster_of(table, key)
    cdef Entry* chosen = entry
    cdef uint64_t data
    cdef int i
    cdef int cheapest = 1 << 20
    for i in range(CLUSTER):
        data = entry[i].data
        if (entry[i].check ^ data) == key:
            if move == NO_MOVE:
                move = <Move>(data & MOVE_BITS)
            if bound != EXACT and bound_of(data) != NO_BOUND and depth + keep < depth_of(data):
                data &= ~(<uint64_t>AGE_BITS << 24 | MOVE_BITS)
                data |= move | <uint64_t>table.age << 24
                entry[i].data = data
                entry[i].check = key ^ data
                return
            chosen = &entry[i]
            break
        if worth(table, data) < cheapest:
            cheapest = worth(table, data)
            chosen = &entry[i]
    data = (
        move
        | (<uint64_t>bound << 14)
        | (<uint64_t>depth << 16)
        | (<uint64_t>table.age << 24)
        | (<uint64_t>(to_table(score, ply) & 0xFFFF) << 32)
        | (<uint64_t>(static_eval & 0xFFFF) << 48)
    )
    chosen.data = data
    chosen.check = key ^ data


cdef int fullness(const Table* table) noexcept nogil:
    """Permille of a sample of entries that this search has written."""
    cdef uint64_t i
    cdef int used = 0
    cdef uint64_t asked = 1000
    if table.clusters * CLUSTER < 1000:
        asked = table.clusters * CLUSTER
    for i in range(asked):
        used += (
            table.entries[i].data != 0
            and age_of(table.entries[i].data) == table.age
        )
    return used * 1000 // <int>asked
