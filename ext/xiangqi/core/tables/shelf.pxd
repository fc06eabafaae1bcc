"""Solved classes side by side, found by the pieces on a board."""

from xiangqi.core.moves.defs cimport uint32_t
from xiangqi.core.moves.position cimport Position
from xiangqi.core.tables.cells cimport Cell
from xiangqi.core.tables.material cimport Material, Signature

cdef enum:
    SLOTS = 2048              # a power of two, far more than there are classes to hold
    MAX_TABLES = 700

cdef struct Table:
    Material material
    const Cell* cells

cdef struct Slot:
    const Table* table        # NULL where the slot is free
    Signature signature
    bint turned               # this signature has the colours exchanged

cdef struct Shelf:
    int tables
    Slot slot[SLOTS]

cdef bint put(Shelf* shelf, const Table* table) noexcept nogil
cdef const Table* find_table(const Shelf* shelf, Signature signature, bint* turned) noexcept nogil
cdef bint look_up(const Shelf* shelf, const Position* pos, Cell* cell) noexcept nogil
