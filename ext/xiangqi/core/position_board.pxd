"""A position with its history."""

from xiangqi.core.moves.position cimport Position, Undo

cdef class PositionBoard:
    cdef Position position
    cdef Undo* history
    cdef int plies
    cdef int capacity
    cdef int first_number       # the fullmove number before the first move
    cdef object draft           # an impossible Setup being edited, or None if `position` is valid
    cdef int begin(self, const Position* position, setup) except -1
    cdef Position* pos(self) except NULL
    cdef list list_pseudo_legal(self)
    cdef int remember(self, int code) except -1
    cdef void take_back(self) noexcept
