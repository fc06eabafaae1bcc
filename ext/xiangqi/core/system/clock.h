/* A monotonic clock, in milliseconds. */
#ifndef MEIHUA_CLOCK_H
#define MEIHUA_CLOCK_H

#include <stdint.h>

#ifdef _WIN32
#include <windows.h>
static inline int64_t now_ms(void) {
    LARGE_INTEGER count, frequency;
    QueryPerformanceCounter(&count);
    QueryPerformanceFrequency(&frequency);
    return (int64_t)(count.QuadPart * 1000 / frequency.QuadPart);
}
#elif defined(__wasm__)
double emscripten_get_now(void); /* POSIX's clock ids have other numbers here */
static inline int64_t now_ms(void) { return (int64_t)emscripten_get_now(); }
#else
#include <time.h>
static inline int64_t now_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}
#endif

#endif
