// Loops over narrow cells that compute with few bits: all bytes against all bytes, and 16-bit cells with values at the ends of what fits.
// RUN: %clang -O3 -march=native -w -I%S/Inputs %s -o %t.plain && %t.plain > %t.expected
// RUN: %loopwright-clang -O3 -march=emeraldrapids -w -I%S/Inputs -Rpass=loopwright %s -c -o %t.o 2>&1 | %FileCheck %s
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs %s -o %t.auto && %t.auto > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs -mllvm -loopwright-policy=force %s -o %t.force && %t.force > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O1 -w -I%S/Inputs %s -o %t.auto && %t.auto > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -w -march=x86-64-v3 -I%S/Inputs %s -o %t.auto && %t.auto > %t.out && diff %t.expected %t.out
// REQUIRES: x86-64-v3
#include "hash.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define KERNEL(NAME, T, R, FORMULA) \
    __attribute__((noinline)) static void NAME(int n, R *restrict o, T *restrict x, T *restrict y) { \
        for (int i = 0; i < n; i++) { \
            int a = x[i], b = y[i], c = x[i + 1], d = y[i + 1]; \
            o[i] = FORMULA; \
        } \
    }
#define LEAST(a, b) ((a) < (b) ? (a) : (b))
#define MOST(a, b) ((a) > (b) ? (a) : (b))
#define CLAMP(v, low, high) ((v) < (low) ? (low) : (v) > (high) ? (high) : (v))
#define KERNELS(T, N) \
    KERNEL(N##_apart, T, T, abs(a - b)) \
    KERNEL(N##_sum, T, uint8_t, CLAMP(a + b, 0, 255)) \
    KERNEL(N##_less, T, T, CLAMP(a - b, 0, 255)) \
    KERNEL(N##_middle, T, T, MOST(LEAST(a, b), LEAST(MOST(a, b), c))) \
    KERNEL(N##_edge, T, uint8_t, abs(a - c) + abs(b - d) > 40) \
    KERNEL(N##_sharp, T, uint8_t, CLAMP(5 * a - b - c - d, 0, 255)) \
    KERNEL(N##_mixed, T, T, LEAST((a * b + (255 - a) * c) / 255, 200)) \
    KERNEL(N##_product, T, uint8_t, a * b + 2 * d > 40000) \
    KERNEL(N##_left, T, T, (a - b) % 7 < (c >> 2) ? ~d : (b ^ c)) \
    KERNEL(N##_range, T, uint8_t, (unsigned)(a - 48) < 10) \
    KERNEL(N##_beyond, T, T, MOST((a * 128) >> 3, b * c)) \
    KERNEL(N##_half, T, T, (abs(a - b) - abs(c - d)) / 2 < 0 ? a : c & 15)

KERNELS(uint8_t, u8)
KERNELS(int8_t, s8)
KERNELS(uint16_t, u16)
KERNELS(int16_t, s16)

// CHECK: narrow.c:{{.*}} remark: computes with 16-bit numbers what the source computes with 32-bit ones

// One of three ways, with stores under conditions, in two dimensions, where rows seem to meet.
__attribute__((noinline)) static void life(int n, uint8_t o[n][n], uint8_t x[n][n]) {
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++) {
            int s = 0;
            for (int u = -1; u <= 1; u++)
                for (int v = -1; v <= 1; v++)
                    if (u || v) s += x[i + u][j + v];
            if (s < 2 || s > 300)
                o[i][j] = 0;
            else if (s == 3)
                o[i][j] = 1;
            else
                o[i][j] = x[i][j];
        }
}

// Sums of long numbers from ints.
__attribute__((noinline)) static void longs(int n, int16_t *restrict o, int16_t *restrict x) {
    for (int i = 0; i < n; i++) {
        long t = (long)x[i] * x[i + 1];
        o[i] = t > 30000 ? 30000 : t < -7 ? (t >> 3) : t;
    }
}

enum { CELLS = 256 * 256 };
static uint16_t x[CELLS + 2], y[CELLS + 2], o[CELLS + 2];

#define TRY(NAME, CALL) memset(o, 0, sizeof o), CALL, printf(NAME " %016llx\n", (unsigned long long)hash(7, o, sizeof o))
#define RUN_ALL(N) \
    TRY(#N " apart", N##_apart(n, (void *)o, (void *)x, (void *)y)); \
    TRY(#N " sum", N##_sum(n, (void *)o, (void *)x, (void *)y)); \
    TRY(#N " less", N##_less(n, (void *)o, (void *)x, (void *)y)); \
    TRY(#N " middle", N##_middle(n, (void *)o, (void *)x, (void *)y)); \
    TRY(#N " edge", N##_edge(n, (void *)o, (void *)x, (void *)y)); \
    TRY(#N " sharp", N##_sharp(n, (void *)o, (void *)x, (void *)y)); \
    TRY(#N " mixed", N##_mixed(n, (void *)o, (void *)x, (void *)y)); \
    TRY(#N " product", N##_product(n, (void *)o, (void *)x, (void *)y)); \
    TRY(#N " left", N##_left(n, (void *)o, (void *)x, (void *)y)); \
    TRY(#N " range", N##_range(n, (void *)o, (void *)x, (void *)y)); \
    TRY(#N " beyond", N##_beyond(n, (void *)o, (void *)x, (void *)y)); \
    TRY(#N " half", N##_half(n, (void *)o, (void *)x, (void *)y))

int main(void) {
    static const int sizes[] = {0, 1, 7, 33, CELLS};
    static const int ends[] = {0, 1, 127, 128, 181, 182, 255, 256, 257, 32767, 32768, 46340, 46341, 65535};
    for (int s = 0; s < 5; s++) {
        int n = sizes[s];
        // All bytes against all bytes.
        uint8_t *a = (void *)x, *b = (void *)y;
        for (int i = 0; i < CELLS + 2; i++) a[i] = i, b[i] = i >> 8;
        RUN_ALL(u8);
        RUN_ALL(s8);
        for (int i = 0; i < CELLS + 2; i++) x[i] = i * 40503u >> 3, y[i] = i % 5 ? ends[(i / 5) % 14] + i % 3 - 1 : i;
        for (int i = 0; i < CELLS; i += 11) x[i] = ends[(i / 11) % 14];
        RUN_ALL(u16);
        RUN_ALL(s16);
        TRY("longs", longs(n, (void *)o, (void *)x));
    }
    for (int n = 1; n < 180; n += 13) {
        uint8_t *a = (void *)x;
        for (int i = 0; i < n * n; i++) a[i] = i % 3 == 0;
        for (int i = 0; i < n; i++) a[i * 7 % (n * n)] = 255;
        TRY("life", life(n, (void *)o, (void *)x));
    }
}
