"""End-game tables for Python."""

from xiangqi.core.tables.table_set cimport TableSet

cdef class Tables:
    cdef TableSet* table_set
    cdef list held       # what keeps the tables' memory
    cdef int readers     # searches that use the tables without the GIL
