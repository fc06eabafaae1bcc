"""Whose move is played where several threads have searched."""

from xiangqi.core.search.worker cimport Control, Worker

cdef Worker* elect(const Control* control) noexcept nogil
