"""Networks for Python and the searcher."""

from xiangqi.core.evaluation.nnue.features cimport KingSet
from xiangqi.core.evaluation.nnue.weights cimport Weights

cdef class Network:
    cdef Weights* weights

cdef const KingSet* king_set(str name) except NULL
