"""Static exchange evaluation: does a move, and all captures that follow on its square, pay?"""

from xiangqi.core.moves.defs cimport KINDS, Move
from xiangqi.core.moves.position cimport Position

cdef int EXCHANGE_VALUE[KINDS]

cdef bint see_ge(const Position* pos, Move move, int threshold) noexcept nogil
