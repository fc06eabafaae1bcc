/* A kernel: the network's inner loops for one width and one instruction set. */
#ifndef MEIHUA_KERNEL_H
#define MEIHUA_KERNEL_H

#include <stdint.h>

#define MAX_HIDDEN 512 /* neurons of one side, of the widest network */

typedef struct {
    const char *name; /* of the instruction set */
    int hidden;       /* neurons of one side */
    void (*change)(int16_t *, const int16_t *, const int16_t *, const int16_t *, const int16_t *);
    int64_t (*weigh)(const int16_t *, const int16_t *);
} Kernel;

#endif
