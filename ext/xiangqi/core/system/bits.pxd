"""Compiler built-ins: bit scans, prefetch, and the assertion of debug builds."""

from libc.stdint cimport uint64_t

cdef extern from "bits.h" nogil:
    int lowest_bit(uint64_t bits) noexcept
    int count_bits(uint64_t low, uint64_t high) noexcept
    void prefetch_line(const void* address) noexcept
    void ensure(bint condition) noexcept
