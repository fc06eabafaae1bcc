/* Zeroed memory for large tables, in huge pages where the system has them: a search reads its
 * tables at random, and small pages would cost a TLB miss each time. All pages are written here, so
 * that the first search does not pay for their page faults. */
#ifndef MEIHUA_PAGES_H
#define MEIHUA_PAGES_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifdef __linux__
#include <sys/mman.h>
#endif

#define HUGE_PAGE ((size_t)2 << 20)

/* Allocate at least `size` zero bytes, aligned to HUGE_PAGE; NULL if memory runs out. A last page
 * more than half used is rounded up, as a huge page is not divided. The word before the bytes holds
 * the address of the allocation. */
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
