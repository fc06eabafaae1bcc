/* The network's inner loops: plain C that compilers turn into vector instructions, compiled once
 * for every processor and, on x86, once more for those with AVX2. The best kernel that the
 * processor has is chosen when the module is loaded. All of them reckon with the same integers:
 * the loader lets no weight in that could make a sum too large for its type. (AVX-512 was tried:
 * it brought nothing over AVX2, the loops are too short.) */
#ifndef MEIHUA_NETWORK_KERNELS_H
#define MEIHUA_NETWORK_KERNELS_H

#include <stddef.h>
#include <stdint.h>

#include "kernel.h"

#define NETWORK_HIDDEN 128   /* neurons of one side */
#define NETWORK_CEILING 255  /* an activation is 0 to this, before it is squared */

#if defined(__GNUC__) || defined(__clang__)
#define KERNEL_BODY static inline __attribute__((always_inline))
#else
#define KERNEL_BODY static inline
#endif

/* out = in + added - removed - captured. `out` may be `in`; the rows are others. */
KERNEL_BODY void change_body(int16_t *out, const int16_t *in, const int16_t *added,
                             const int16_t *removed, const int16_t *captured) {
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC ivdep
#elif defined(__clang__)
#pragma clang loop vectorize(assume_safety)
#endif
    for (int i = 0; i < NETWORK_HIDDEN; i++)
        out[i] = (int16_t)(in[i] + added[i] - removed[i] - captured[i]);
}

/* The sum of weight times activation squared. The first product fits into 16 bits, so that a
 * vector instruction can multiply it by the activation and add up neighbours. */
KERNEL_BODY int32_t weigh_body(const int16_t *values, const int16_t *weights) {
    int32_t sum = 0;
    for (int i = 0; i < NETWORK_HIDDEN; i++) {
        int16_t value = values[i] < 0 ? 0 : values[i];
        value = value > NETWORK_CEILING ? NETWORK_CEILING : value;
        int16_t product = (int16_t)(value * weights[i]);
        sum += (int32_t)product * value;
    }
    return sum;
}

#define DEFINE_KERNEL(SUFFIX, ATTRIBUTE)                                                      \
    ATTRIBUTE static void change_##SUFFIX(int16_t *out, const int16_t *in,                    \
                                          const int16_t *added, const int16_t *removed,       \
                                          const int16_t *captured) {                          \
        change_body(out, in, added, removed, captured);                                       \
    }                                                                                         \
    ATTRIBUTE static int32_t weigh_##SUFFIX(const int16_t *values, const int16_t *weights) {  \
        return weigh_body(values, weights);                                                   \
    }

#define NO_ATTRIBUTE
DEFINE_KERNEL(portable, NO_ATTRIBUTE)

#if (defined(__GNUC__) || defined(__clang__)) && defined(__x86_64__)
#define HAS_X86_KERNELS
DEFINE_KERNEL(avx2, __attribute__((target("avx2"))))
#endif

static const Kernel KERNELS[] = {
    {"portable", change_portable, weigh_portable},
#ifdef HAS_X86_KERNELS
    {"avx2", change_avx2, weigh_avx2},
#endif
};

#define KERNEL_COUNT ((int)(sizeof(KERNELS) / sizeof(KERNELS[0])))

/* Can this processor run the kernel of this number? */
static int has_kernel(int number) {
#ifdef HAS_X86_KERNELS
    __builtin_cpu_init();
    if (number == 1)
        return __builtin_cpu_supports("avx2") != 0;
#endif
    return number == 0;
}

#endif
