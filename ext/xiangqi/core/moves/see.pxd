"""Static exchange evaluation: the value of a move and the captures that follow on its square."""

from xiangqi.core.moves.defs cimport KINDS, Move
from xiangqi.core.moves.position cimport Position

cdef int EXCHANGE_VALUE[KINDS]

cdef bint see_ge(const Position* pos, Move move, int threshold) noexcept nogil
