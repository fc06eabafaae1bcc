/* What a kernel is: the network's inner loops, for one kind of processor. */
#ifndef MEIHUA_KERNEL_H
#define MEIHUA_KERNEL_H

#include <stdint.h>

typedef struct {
    const char *name;
    void (*change)(int16_t *, const int16_t *, const int16_t *, const int16_t *, const int16_t *);
    int32_t (*weigh)(const int16_t *, const int16_t *);
} Kernel;

#endif
