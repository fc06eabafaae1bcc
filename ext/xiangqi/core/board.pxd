"""Boards and rule sets for Python."""

from xiangqi.core.position_board cimport PositionBoard
from xiangqi.core.repetition.rules cimport Rules

cdef class RuleSwitches:
    cdef Rules rules

cdef class CoreBoard(PositionBoard):
    pass
