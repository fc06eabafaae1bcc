/* Compiler built-ins: bit scans, population count, prefetch, and an assertion that aborts the
 * process. */
#ifndef MEIHUA_BITS_H
#define MEIHUA_BITS_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#if defined(_MSC_VER) && !defined(__clang__)
#include <intrin.h>
#endif

/* Index of the lowest set bit; `bits` must not be 0. */
static inline int lowest_bit(uint64_t bits) {
#if defined(_MSC_VER) && !defined(__clang__)
    unsigned long index;
#if defined(_WIN64)
    _BitScanForward64(&index, bits);
#else
    if (!_BitScanForward(&index, (unsigned long)bits)) {
        _BitScanForward(&index, (unsigned long)(bits >> 32));
        index += 32;
    }
#endif
    return (int)index;
#else
    return __builtin_ctzll(bits);
#endif
}

/* Number of set bits in two words that use 45 bits each.
 * Uses the population count instruction where the compiler may assume it; elsewhere both words
 * share the last steps of the classic parallel sum (Knuth, TAOCP 7.1.3), which is faster than the
 * library call that compilers fall back to. */
static inline int count_bits(uint64_t low, uint64_t high) {
#if (defined(__GNUC__) || defined(__clang__)) && (defined(__POPCNT__) || defined(__aarch64__))
    return __builtin_popcountll(low) + __builtin_popcountll(high);
#else
    const uint64_t pairs = 0x5555555555555555ULL, nibbles = 0x3333333333333333ULL;
    const uint64_t bytes = 0x0F0F0F0F0F0F0F0FULL;
    low -= (low >> 1) & pairs;
    high -= (high >> 1) & pairs;
    low = (low & nibbles) + ((low >> 2) & nibbles);
    high = (high & nibbles) + ((high >> 2) & nibbles);
    low += high;
    low = (low & bytes) + ((low >> 4) & bytes);
    return (int)((low * 0x0101010101010101ULL) >> 56);
#endif
}

/* Prefetch a cache line; a no-op with compilers that have no built-in for it. */
static inline void prefetch_line(const void *address) {
#if defined(__GNUC__) || defined(__clang__)
    __builtin_prefetch(address);
#else
    (void)address;
#endif
}

/* An assertion of the debug build. A Python assert inside nogil code would only be printed. */
#ifdef MEIHUA_DEBUG
#define MEIHUA_STRING2(x) #x
#define MEIHUA_STRING(x) MEIHUA_STRING2(x)
#define ensure(condition)                                                                     \
    ((condition) ? (void)0                                                                    \
                 : (fputs("meihua: broken invariant: " #condition " at " __FILE__             \
                          ":" MEIHUA_STRING(__LINE__) "\n", stderr), abort()))
#else
#define ensure(condition) ((void)sizeof(condition)) /* used, but not evaluated */
#endif

#endif
