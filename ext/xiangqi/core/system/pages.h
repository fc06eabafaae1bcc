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

/* `size` bytes or more, all 0, at a multiple of HUGE_PAGE; NULL when there is too little memory.
 * A last page that is more than half used is made whole: the system gives no part of a huge one.
 * The word before the bytes remembers where the allocation began. */
static inline void *allocate_pages(size_t size) {
    size_t rest = size % HUGE_PAGE;
    char *memory;
    void **pages;
    if (size > SIZE_MAX - 2 * HUGE_PAGE)
        return NULL;
    if (rest > HUGE_PAGE / 2)
        size += HUGE_PAGE - rest;
    memory = malloc(size + HUGE_PAGE);
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
