"""Moves for Python: immutable, hashable and shared."""

from xiangqi.core.moves.defs cimport Move as MoveCode

cdef class Move:
    cdef readonly int code

cdef Move shared_move(MoveCode code)
cdef int read_iccs(str text) except -1
