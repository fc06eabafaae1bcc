"""Set of solved tables, found by material."""

from xiangqi.core.moves.defs cimport uint32_t
from xiangqi.core.moves.position cimport Position
from xiangqi.core.tables.cells cimport Cell
from xiangqi.core.tables.material cimport Material, Signature

cdef enum:
    SLOTS = 2048              # a power of two, more than the two signatures of each table
    MAX_TABLES = 700

cdef struct Table:
    Material material
    const Cell* cells

cdef struct Slot:
    const Table* table        # NULL if the slot is free
    Signature signature
    bint turned               # does the signature have the colours exchanged?

cdef struct TableSet:
    int tables
    Slot slot[SLOTS]

cdef bint add_table(TableSet* table_set, const Table* table) noexcept nogil
cdef const Table* find_table(
    const TableSet* table_set, Signature signature, bint* turned
) noexcept nogil
cdef bint probe_cell(const TableSet* table_set, const Position* pos, Cell* cell) noexcept nogil
