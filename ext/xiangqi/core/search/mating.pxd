"""Mates that are looked for without an evaluation, before the search and in turns with it."""

from xiangqi.core.moves.defs cimport int64_t
from xiangqi.core.search.worker cimport Worker

cdef bint find_proof(Worker* worker, int most, int64_t effort) noexcept nogil
