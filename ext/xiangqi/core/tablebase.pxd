"""The door to the end-game tables."""

from xiangqi.core.tables.shelf cimport Shelf

cdef class Tables:
    cdef Shelf* shelf
    cdef list held       # what keeps the tables' memory
    cdef int readers     # searches that use the tables without the GIL
