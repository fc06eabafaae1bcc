"""Weights of the hand-made evaluation, for Python and the searcher."""

from xiangqi.core.evaluation.term_weights cimport TermWeights

cdef class Terms:
    cdef TermWeights weights
