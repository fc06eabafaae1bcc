"""Packing, probing and replacing entries.

``data`` holds, from bit 0: move (14), bound (2), depth (8), age (8), score (16), static evaluation
(16). Mate scores are stored relative to the node, not to the root.
"""

from libc.string cimport memset

from xiangqi.core.evaluation.scores cimport WIN_IN_MAX
from xiangqi.core.moves.defs cimport NO_MOVE, int16_t
from xiangqi.core.system.bits cimport prefetch_line
from xiangqi.core.system.memory cimport allocate_pages, free_pages

cdef enum:
    CLUSTER_SIZE = 4
    CACHE_LINE = 64
    MOVE_MASK = (1 << 14) - 1
    AGE_MASK = 255
    AGE_WEIGHT = 8   # plies of depth that an entry loses for each search of age


cdef bint allocate(Table* table, uint64_t megabytes) noexcept nogil:
    """Make a table of about this size; on failure the table stays as it was."""
    cdef uint64_t clusters = megabytes * 1024 * 1024 // CACHE_LINE
    cdef Entry* entries = <Entry*>allocate_pages(clusters * CACHE_LINE)
    if entries == NULL:
        return False
    free_table(table)
    table.entries = entries
    table.clusters = clusters
    table.age = 0
    return True


cdef void free_table(Table* table) noexcept nogil:
    """Free the entries."""
    free_pages(table.entries)
    table.entries = NULL
    table.clusters = 0


cdef void clear_table(Table* table) noexcept nogil:
    """Set all entries to zero."""
    memset(table.entries, 0, table.clusters * CACHE_LINE)
    table.age = 0


cdef void new_search(Table* table) noexcept nogil:
    """Increase the age: entries of earlier searches are replaced first."""
    table.age += 1


cdef inline Entry* cluster_of(const Table* table, Key key) noexcept nogil:
    """Cluster of a key: its upper half, scaled to the number of clusters."""
    return &table.entries[((key >> 32) * table.clusters >> 32) * CLUSTER_SIZE]


cdef void prefetch(const Table* table, Key key) noexcept nogil:
    """Prefetch the cluster of a key that will be probed soon."""
    prefetch_line(cluster_of(table, key))


cdef inline int depth_of(uint64_t data) noexcept nogil:
    return <int>(data >> 16) & 255


cdef inline int bound_of(uint64_t data) noexcept nogil:
    return <int>(data >> 14) & 3


cdef inline int age_of(uint64_t data) noexcept nogil:
    return <int>(data >> 24) & AGE_MASK


cdef inline int score_to_tt(int score, int ply) noexcept nogil:
    """Mate score relative to the root, as one relative to the node."""
    if score >= WIN_IN_MAX:
        return score + ply
    if score <= -WIN_IN_MAX:
        return score - ply
    return score


cdef int score_from_tt(int score, int ply) noexcept nogil:
    """Mate score relative to the node, as one relative to the root."""
    if score >= WIN_IN_MAX:
        return score - ply
    if score <= -WIN_IN_MAX:
        return score + ply
    return score


cdef TTData probe(const Table* table, Key key, int ply) noexcept nogil:
    """Entry of the key; ``found`` is False if there is none."""
    cdef TTData tt
    cdef Entry* entry = cluster_of(table, key)
    cdef uint64_t data
    cdef int i
    for i in range(CLUSTER_SIZE):
        data = entry[i].data
        if (entry[i].check ^ data) == key and data != 0:
            tt.found = True
            tt.move = <Move>(data & MOVE_MASK)
            tt.bound = bound_of(data)
            tt.depth = depth_of(data)
            tt.score = score_from_tt(<int16_t>((data >> 32) & 0xFFFF), ply)
            tt.static_eval = <int16_t>((data >> 48) & 0xFFFF)
            return tt
    tt.found = False
    tt.move = NO_MOVE
    tt.bound = NO_BOUND
    tt.depth = tt.score = tt.static_eval = 0
    return tt


cdef inline int replace_value(const Table* table, uint64_t data) noexcept nogil:
    """Value of an entry for replacement: high for deep and recent ones."""
    return depth_of(data) - AGE_WEIGHT * ((table.age - age_of(data)) & AGE_MASK)


cdef void store(
    Table* table, Key key, Move move, int score, int static_eval, int depth, int bound, int ply,
    int keep
) noexcept nogil:
    """Store a result, in the entry of the key or in place of the least valuable of its cluster.

    If the entry of the key is more than ``keep`` plies deeper, a bound does not replace it: only
    its age and its move are updated.
    """
    cdef Entry* entry = cluster_of(table, key)
    cdef Entry* replaced = entry
    cdef uint64_t data
    cdef int i
    cdef int lowest = 1 << 20
    for i in range(CLUSTER_SIZE):
        data = entry[i].data
        if (entry[i].check ^ data) == key:
            if move == NO_MOVE:
                move = <Move>(data & MOVE_MASK)
            if bound != EXACT and bound_of(data) != NO_BOUND and depth + keep < depth_of(data):
                data &= ~(<uint64_t>AGE_MASK << 24 | MOVE_MASK)
                data |= move | <uint64_t>table.age << 24
                entry[i].data = data
                entry[i].check = key ^ data
                return
            replaced = &entry[i]
            break
        if replace_value(table, data) < lowest:
            lowest = replace_value(table, data)
            replaced = &entry[i]
    data = (
        move
        | (<uint64_t>bound << 14)
        | (<uint64_t>depth << 16)
        | (<uint64_t>table.age << 24)
        | (<uint64_t>(score_to_tt(score, ply) & 0xFFFF) << 32)
        | (<uint64_t>(static_eval & 0xFFFF) << 48)
    )
    replaced.data = data
    replaced.check = key ^ data


cdef int hashfull(const Table* table) noexcept nogil:
    """Permille of entries written in the current search, from a sample."""
    cdef uint64_t i
    cdef int used = 0
    cdef uint64_t sample = 1000
    if table.clusters * CLUSTER_SIZE < 1000:
        sample = table.clusters * CLUSTER_SIZE
    for i in range(sample):
        used += (
            table.entries[i].data != 0
            and age_of(table.entries[i].data) == table.age
        )
    return used * 1000 // <int>sample
