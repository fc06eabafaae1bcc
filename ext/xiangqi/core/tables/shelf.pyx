"""A hash table of classes by their signatures; open addressing, nothing is ever taken out."""

from xiangqi.core.moves.defs cimport uint64_t
from xiangqi.core.tables.material cimport find_index, signature_of


cdef inline int slot_of(Signature signature) noexcept nogil:
    return <int>((signature * <uint64_t>0x9E3779B97F4A7C15) >> 53)


cdef void put_under(
    Shelf* shelf, const Table* table, Signature signature, bint turned
) noexcept nogil:
    cdef int at = slot_of(signature)
    while shelf.slot[at].table != NULL and shelf.slot[at].signature != signature:
        at = (at + 1) % SLOTS
    shelf.slot[at].table = table
    shelf.slot[at].signature = signature
    shelf.slot[at].turned = turned


cdef bint put(Shelf* shelf, const Table* table) noexcept nogil:
    """Add a class or replace it; False if the list is full."""
    if shelf.tables == MAX_TABLES:
        return False
    shelf.tables += 1
    put_under(shelf, table, table.material.turned, True)
    put_under(shelf, table, table.material.signature, False)
    return True


cdef const Table* find_table(const Shelf* shelf, Signature signature, bint* turned) noexcept nogil:
    """The class of these pieces, or NULL; ``turned`` where the board must be turned for it."""
    cdef int at = slot_of(signature)
    while shelf.slot[at].table != NULL:
        if shelf.slot[at].signature == signature:
            turned[0] = shelf.slot[at].turned
            return shelf.slot[at].table
        at = (at + 1) % SLOTS
    return NULL


cdef bint look_up(const Shelf* shelf, const Position* pos, Cell* cell) noexcept nogil:
    """Probe the loaded tables for the side to move; False if no table covers the position."""
    cdef bint turned
    cdef uint32_t index
    cdef const Table* table = find_table(shelf, signature_of(pos), &turned)
    if table == NULL or not find_index(&table.material, pos, turned, &index):
        return False
    cell[0] = table.cells[index]
    return True
