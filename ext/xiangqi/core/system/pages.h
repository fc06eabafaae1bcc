/* Zeroed memory for large tables, in huge pages where the system has them: a search reads its
 * tables at random, and small pages would cost it a second miss each time, for the address.
 * All of it is written once here: a system that hands out pages at their first use would take
 * the time for that from the first search. */
#ifndef MEIHUA_PAGES_H
#define MEIHUA_PAGES_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifdef __linux__
#include <sys/mman.h>
#endif

#define HUGE_PAGE ((size_t)2 << 20)

/* `size` bytes, all 0, at a multiple of HUGE_PAGE; NULL when there is too little memory.
 * The word before them remembers where the allocation began. */
static inline void *allocate_pages(size_t size) {
    char *memory = size < SIZE_MAX - HUGE_PAGE ? malloc(size + HUGE_PAGE) : NULL;
    void **pages;
    if (memory == NULL)
        return NULL;
    pages = (void **)(((uintptr_t)memory + HUGE_PAGE) / HUGE_PAGE * HUGE_PAGE);
    pages[-1] = memory;
#ifdef MADV_HUGEPAGE
    (void)madvise(pages, size, MADV_HUGEPAGE);
#endif
    memset(pages, 0, size);
    return pages;
}

static inline void free_pages(void *pages) {
    if (pages != NULL)
        free(((void **)pages)[-1]);
}

#endif
