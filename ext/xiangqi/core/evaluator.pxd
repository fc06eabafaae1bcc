"""The hand-made evaluation, for Python and for those who evaluate with it."""

from xiangqi.core.evaluation.term_weights cimport TermWeights

cdef class Terms:
    cdef TermWeights weights
