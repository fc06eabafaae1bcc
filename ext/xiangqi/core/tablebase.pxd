"""Endgame tables for Python."""

from xiangqi.core.tables.table_set cimport TableSet

cdef class Tables:
    cdef TableSet* table_set
    cdef list held       # HeldTable of each class
    cdef int readers     # number of searches that read the tables
