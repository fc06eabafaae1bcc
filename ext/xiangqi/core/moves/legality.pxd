"""Why a move is not legal, in a sentence for whoever wanted to play it."""

from xiangqi.core.moves.defs cimport Move
from xiangqi.core.moves.position cimport Position

cdef str why_illegal(const Position* pos, Move move)
