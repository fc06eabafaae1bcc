"""Selection of the thread whose move is played."""

from xiangqi.core.search.worker cimport Control, Worker

cdef Worker* select_worker(const Control* control) noexcept nogil
