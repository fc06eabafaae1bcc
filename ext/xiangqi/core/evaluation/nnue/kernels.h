/* The network's inner loops: plain C that compilers vectorise, compiled for each width that a
 * network may have, once for every processor and, on x86-64, once more for AVX2. A network uses the
 * best kernel of its width that the processor supports. All give the same results: the loader
 * rejects weights that could overflow a sum. (AVX-512 was no faster than AVX2: the loops are too
 * short.) */
#ifndef MEIHUA_NETWORK_KERNELS_H
#define MEIHUA_NETWORK_KERNELS_H

#include <stddef.h>
#include <stdint.h>

#include "kernel.h"

#define NETWORK_CEILING 255  /* activations are clipped to 0 to this, then squared */
#define NETWORK_CHUNK 256    /* the sum of this many products fits into 32 bits */

#if defined(__GNUC__) || defined(__clang__)
#define KERNEL_BODY static inline __attribute__((always_inline))
#else
#define KERNEL_BODY static inline
#endif

/* out = in + added - removed - captured. `out` may be `in`; the other rows must not overlap it. */
KERNEL_BODY void change_body(int16_t *out, const int16_t *in, const int16_t *added,
                             const int16_t *removed, const int16_t *captured, int hidden) {
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC ivdep
#elif defined(__clang__)
#pragma clang loop vectorize(assume_safety)
#endif
    for (int i = 0; i < hidden; i++)
        out[i] = (int16_t)(in[i] + added[i] - removed[i] - captured[i]);
}

/* The sum of weight times activation squared. The first product fits into 16 bits, so that a
 * vector instruction can multiply it by the activation and add adjacent products. */
KERNEL_BODY int32_t weigh_chunk(const int16_t *values, const int16_t *weights, int count) {
    int32_t sum = 0;
    for (int i = 0; i < count; i++) {
        int16_t value = values[i] < 0 ? 0 : values[i];
        value = value > NETWORK_CEILING ? NETWORK_CEILING : value;
        int16_t product = (int16_t)(value * weights[i]);
        sum += (int32_t)product * value;
    }
    return sum;
}

KERNEL_BODY int64_t weigh_body(const int16_t *values, const int16_t *weights, int hidden) {
    int64_t sum = 0;
    int done = 0;
    for (; done + NETWORK_CHUNK <= hidden; done += NETWORK_CHUNK)
        sum += weigh_chunk(values + done, weights + done, NETWORK_CHUNK);
    return sum + weigh_chunk(values + done, weights + done, hidden - done);
}

#define DEFINE_KERNEL(HIDDEN, SUFFIX, ATTRIBUTE)                                              \
    ATTRIBUTE static void change_##HIDDEN##_##SUFFIX(                                         \
        int16_t *out, const int16_t *in, const int16_t *added, const int16_t *removed,        \
        const int16_t *captured) {                                                            \
        change_body(out, in, added, removed, captured, HIDDEN);                               \
    }                                                                                         \
    ATTRIBUTE static int64_t weigh_##HIDDEN##_##SUFFIX(const int16_t *values,                 \
                                                       const int16_t *weights) {              \
        return weigh_body(values, weights, HIDDEN);                                           \
    }

#define FOR_EACH_WIDTH(MACRO, SUFFIX, ATTRIBUTE)                                              \
    MACRO(128, SUFFIX, ATTRIBUTE)                                                             \
    MACRO(256, SUFFIX, ATTRIBUTE)                                                             \
    MACRO(384, SUFFIX, ATTRIBUTE)                                                             \
    MACRO(512, SUFFIX, ATTRIBUTE)

#define LIST_KERNEL(HIDDEN, SUFFIX, ATTRIBUTE)                                                \
    {#SUFFIX, HIDDEN, change_##HIDDEN##_##SUFFIX, weigh_##HIDDEN##_##SUFFIX},

#define NO_ATTRIBUTE
FOR_EACH_WIDTH(DEFINE_KERNEL, portable, NO_ATTRIBUTE)

#if (defined(__GNUC__) || defined(__clang__)) && defined(__x86_64__)
#define HAS_X86_KERNELS
FOR_EACH_WIDTH(DEFINE_KERNEL, avx2, __attribute__((target("avx2"))))
#endif

/* The faster ones last. */
static const Kernel KERNELS[] = {
    FOR_EACH_WIDTH(LIST_KERNEL, portable, )
#ifdef HAS_X86_KERNELS
    FOR_EACH_WIDTH(LIST_KERNEL, avx2, )
#endif
};

#define KERNEL_COUNT ((int)(sizeof(KERNELS) / sizeof(KERNELS[0])))

/* Can this processor run the kernel at this index? */
static int has_kernel(int number) {
#ifdef HAS_X86_KERNELS
    if (2 * number >= KERNEL_COUNT) {
        __builtin_cpu_init();
        return __builtin_cpu_supports("avx2") != 0;
    }
#endif
    return number >= 0;
}

#endif
