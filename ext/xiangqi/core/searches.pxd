"""Limits of a search for the searcher."""

from xiangqi.core.search.limits cimport Limits

cdef class SearchLimits:
    cdef Limits values
    cdef readonly tuple moves
    cdef readonly object replan
