"""Proof-number search for mates, before the search and alternating with it."""

from xiangqi.core.moves.defs cimport int64_t
from xiangqi.core.search.worker cimport Worker

cdef bint search_proof(Worker* worker, int moves, int64_t node_limit) noexcept nogil
