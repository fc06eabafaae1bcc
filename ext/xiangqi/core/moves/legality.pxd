"""Reasons why moves are illegal."""

from xiangqi.core.moves.defs cimport Move
from xiangqi.core.moves.position cimport Position

cdef object why_illegal(const Position* pos, Move move)
