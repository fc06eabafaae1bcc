"""Mates that are looked for before anything is searched."""

from xiangqi.core.moves.defs cimport int64_t
from xiangqi.core.search.worker cimport Worker

cdef bint find_proof(Worker* worker, int most, int64_t effort) noexcept nogil
