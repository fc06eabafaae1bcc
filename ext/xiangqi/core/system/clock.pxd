"""Monotonic clock."""

cdef extern from "clock.h" nogil:
    long long now_ms() noexcept
