"""A network, for Python and for those who evaluate with it."""

from xiangqi.core.evaluation.nnue.weights cimport Weights

cdef class Network:
    cdef Weights* weights
