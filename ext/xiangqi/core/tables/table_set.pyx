"""Hash table of classes by signature, with open addressing and without deletion."""

from xiangqi.core.moves.defs cimport uint64_t
from xiangqi.core.tables.material cimport find_index, signature_of


cdef inline int slot_of(Signature signature) noexcept nogil:
    return <int>((signature * <uint64_t>0x9E3779B97F4A7C15) >> 53)


cdef void insert_table(
    TableSet* table_set, const Table* table, Signature signature, bint turned
) noexcept nogil:
    cdef int at = slot_of(signature)
    while table_set.slot[at].table != NULL and table_set.slot[at].signature != signature:
        at = (at + 1) % SLOTS
    table_set.slot[at].table = table
    table_set.slot[at].signature = signature
    table_set.slot[at].turned = turned


cdef bint add_table(TableSet* table_set, const Table* table) noexcept nogil:
    """Add or replace the table of a class; False if the set is full."""
    if table_set.tables == MAX_TABLES:
        return False
    table_set.tables += 1
    insert_table(table_set, table, table.material.turned, True)
    insert_table(table_set, table, table.material.signature, False)
    return True


cdef const Table* find_table(
    const TableSet* table_set, Signature signature, bint* turned
) noexcept nogil:
    """Table of a class, or NULL; ``turned`` is set if the board must be turned for it."""
    cdef int at = slot_of(signature)
    while table_set.slot[at].table != NULL:
        if table_set.slot[at].signature == signature:
            turned[0] = table_set.slot[at].turned
            return table_set.slot[at].table
        at = (at + 1) % SLOTS
    return NULL


cdef bint probe_cell(const TableSet* table_set, const Position* pos, Cell* cell) noexcept nogil:
    """Probe the loaded tables for the side to move; False if no table covers the position."""
    cdef bint turned
    cdef uint32_t index
    cdef const Table* table = find_table(table_set, signature_of(pos), &turned)
    if table == NULL or not find_index(&table.material, pos, turned, &index):
        return False
    cell[0] = table.cells[index]
    return True
