"""Perft: counting the leaves of the tree of legal moves."""

from xiangqi.core.moves.defs cimport int64_t
from xiangqi.core.moves.position cimport Position

cdef int64_t perft(Position* pos, int depth, bint bulk) except -1 nogil
