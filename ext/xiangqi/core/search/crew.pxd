"""The workers of an engine: one for each thread, each with memory of its own."""

from xiangqi.core.evaluation.nnue.weights cimport Weights
from xiangqi.core.search.worker cimport Worker

cdef Worker** new_workers(int count, const Weights* network) noexcept nogil
cdef void free_workers(Worker** workers, int count) noexcept nogil
