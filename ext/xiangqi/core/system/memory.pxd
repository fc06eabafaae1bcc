"""Memory for large tables."""

cdef extern from "pages.h" nogil:
    void* allocate_pages(size_t size) noexcept
    void free_pages(void* pages) noexcept
