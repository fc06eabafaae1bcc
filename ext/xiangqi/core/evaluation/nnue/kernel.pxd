"""The inner loops in C; ``kernels.h`` has a kernel for each width and instruction set."""

from xiangqi.core.moves.defs cimport int16_t, int64_t

cdef extern from "kernel.h" nogil:
    enum:
        MAX_HIDDEN
    ctypedef struct Kernel:
        const char* name
        int hidden
        void (*change)(
            int16_t* out, const int16_t* before, const int16_t* added, const int16_t* removed,
            const int16_t* captured
        ) noexcept nogil
        int64_t (*weigh)(const int16_t* values, const int16_t* weights) noexcept nogil
