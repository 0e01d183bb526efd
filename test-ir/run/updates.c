// Updates of integers by operations that take their operands in any order: recurrences over intervals, with terms from neighbours in front of those by the split, by every operation and in every width; two
// operations on one cell, stores and reads in between, which keep their place. All sizes, arrays that may meet and do.
// RUN: %clang -O3 -march=native -w -I%S/Inputs %s -o %t.plain && %t.plain > %t.expected
// RUN: %loopwright-clang -O3 -march=emeraldrapids -w -I%S/Inputs -Rpass=loopwright %s -c -o %t.o 2>&1 | %FileCheck %s
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs %s -o %t.auto && %t.auto > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs -mllvm -loopwright-policy=kernels %s -o %t.kernels && %t.kernels > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs -mllvm -loopwright-policy=random -mllvm -loopwright-seed=3 %s -o %t.random && %t.random > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs -mllvm -loopwright-policy=random -mllvm -loopwright-seed=9 %s -o %t.random && %t.random > %t.out && diff %t.expected %t.out
// RUN: %clang -O3 -w -I%S/Inputs %s -o %t.plain && %t.plain > %t.expected
// RUN: %loopwright-clang -O3 -w -I%S/Inputs %s -o %t.auto && %t.auto > %t.out && diff %t.expected %t.out
// CHECK: updates that commute in another order
#include "hash.h"
#include <stdio.h>

#define KERNEL __attribute__((noinline)) static

enum { MOST = 40, CELLS = MOST * MOST + 2 * MOST };

// T: the type; OP(a, b): the operation; TERM(x, y): what the splits add.
#define KERNELS(NAME, T, OP, TERM)                                                                                      \
    /* Terms from three neighbours, then by the split: Nussinov's recurrence. */                                        \
    KERNEL void pairs_##NAME(int n, const T *s, T t[n][n]) {                                                            \
        for (int i = n - 1; i >= 0; i--)                                                                                \
            for (int j = i + 1; j < n; j++) {                                                                           \
                t[i][j] = OP(t[i][j], t[i][j - 1]);                                                                     \
                t[i][j] = OP(t[i][j], t[i + 1][j]);                                                                     \
                t[i][j] = OP(t[i][j], (T)(t[i + 1][j - 1] + (i < j - 1 ? (T)(s[i] - s[j]) : 0)));                       \
                for (int k = i + 1; k < j; k++) t[i][j] = OP(t[i][j], TERM(t[i][k], t[k + 1][j]));                      \
            }                                                                                                           \
    }                                                                                                                   \
    /* By the split first. */                                                                                           \
    KERNEL void splits_##NAME(int n, const T *s, T t[n][n]) {                                                           \
        for (int i = n - 1; i >= 0; i--)                                                                                \
            for (int j = i + 1; j < n; j++) {                                                                           \
                for (int k = i; k < j; k++) t[i][j] = OP(t[i][j], TERM(t[i][k], t[k + 1][j]));                          \
                t[i][j] = OP(t[i][j], s[j]);                                                                            \
            }                                                                                                           \
    }                                                                                                                   \
    /* The cell starts with something else, and is changed by something else behind. */                                 \
    KERNEL void started_##NAME(int n, const T *s, T t[n][n]) {                                                          \
        for (int i = n - 1; i >= 0; i--)                                                                                \
            for (int j = i + 1; j < n; j++) {                                                                           \
                t[i][j] = s[i];                                                                                         \
                for (int k = i; k < j; k++) t[i][j] = OP(t[i][j], TERM(t[i][k], t[k + 1][j]));                          \
                t[i][j] = (T)(t[i][j] - s[j]);                                                                          \
            }                                                                                                           \
    }                                                                                                                   \
    /* Another operation between two loops of updates. */                                                               \
    KERNEL void mixed_##NAME(int n, const T *s, T t[n][n]) {                                                            \
        for (int i = n - 1; i >= 0; i--)                                                                                \
            for (int j = i + 1; j < n; j++) {                                                                           \
                for (int k = i; k < j; k++) t[i][j] = OP(t[i][j], TERM(t[i][k], t[k + 1][j]));                          \
                t[i][j] = (T)(s[j] - t[i][j]);                                                                          \
                for (int k = i + 1; k < j; k++) t[i][j] = OP(t[i][j], TERM(t[k][j], s[k]));                             \
            }                                                                                                           \
    }                                                                                                                   \
    /* What the cell is in between is kept. */                                                                          \
    KERNEL void seen_##NAME(int n, T *s, T t[n][n]) {                                                                   \
        for (int i = 0; i < n; i++)                                                                                     \
            for (int j = 0; j < n; j++) {                                                                               \
                t[i][j] = OP(t[i][j], s[j]);                                                                            \
                s[j] = (T)(t[i][j] / 64);                                                                               \
                for (int k = 0; k < i; k++) t[i][j] = OP(t[i][j], TERM(t[k][j], s[i]));                                 \
            }                                                                                                           \
    }                                                                                                                   \
    /* Sums into cells that many pairs have. */                                                                         \
    KERNEL void scattered_##NAME(int n, const T *s, T t[n][n]) {                                                        \
        for (int i = 0; i + 1 < n; i++)                                                                                 \
            for (int j = 0; j < n - i; j++) {                                                                           \
                t[0][i + j] = OP(t[0][i + j], TERM(s[i], s[j]));                                                        \
                t[0][i + j] = OP(t[0][i + j], t[i + 1][j]);                                                             \
                t[i + 1][j] = OP(t[i + 1][j], t[i][j]);                                                                 \
            }                                                                                                           \
    }                                                                                                                   \
    static uint64_t all_##NAME(uint64_t h) {                                                                            \
        typedef void F(int, T *, void *);                                                                               \
        F *const kernels[] = {(F *)pairs_##NAME, (F *)splits_##NAME, (F *)started_##NAME, (F *)mixed_##NAME,            \
                              (F *)seen_##NAME,  (F *)scattered_##NAME};                                                \
        /* Where sums may not be too large, arrays that meet must not make them grow. */                                \
        const int signed_sums = (T)-1 < 0 && (T)0.5 == 0;                                                               \
        for (int n = 0; n <= MOST; n += n < 9 ? 1 : 7)                                                                  \
            for (int f = 0; f < 6; f++)                                                                                 \
                for (int meet = 0; meet < (signed_sums ? 1 : 2); meet++) {                                              \
                    static T cells[CELLS];                                                                              \
                    for (int c = 0; c < CELLS; c++) cells[c] = (T)(c * 2654435761u >> 12);                              \
                    kernels[f](n, meet ? cells + n / 2 : cells + MOST * MOST + MOST / 2, cells);                        \
                    h = hash(h, cells, sizeof cells);                                                                   \
                }                                                                                                       \
        return h;                                                                                                       \
    }

#define SUM(a, b) ((a) + (b))
#define LESS(a, b) ((a) - (b))
#define TIMES(a, b) ((a) * (b))
#define AND(a, b) ((a) & (b))
#define OR(a, b) ((a) | (b))
#define XOR(a, b) ((a) ^ (b))
#define LEAST(a, b) ((a) < (b) ? (a) : (b))
#define MOST_OF(a, b) ((a) > (b) ? (a) : (b))

#define PLUS(x, y) ((x) + (y))
#define BOTH(x, y) ((x) & (y))

#define LIST(F)                                                                                                         \
    F(most_int, int32_t, MOST_OF, PLUS)                                                                                 \
    F(least_int, int32_t, LEAST, PLUS)                                                                                  \
    F(most_unsigned, uint32_t, MOST_OF, PLUS)                                                                           \
    F(least_unsigned, uint32_t, LEAST, BOTH)                                                                            \
    F(sum_wide, uint64_t, SUM, TIMES)                                                                                   \
    F(sum_unsigned, uint32_t, SUM, TIMES)                                                                               \
    F(sum_short, int16_t, SUM, BOTH)                                                                                    \
    F(product_unsigned, uint32_t, TIMES, PLUS)                                                                          \
    F(or_long, uint64_t, OR, BOTH)                                                                                      \
    F(and_byte, uint8_t, AND, PLUS)                                                                                     \
    F(xor_int, uint32_t, XOR, TIMES)                                                                                    \
    F(less_wide, uint64_t, LESS, TIMES)                                                                                 \
    F(least_byte, int8_t, LEAST, XOR)                                                                                   \
    F(most_short, uint16_t, MOST_OF, BOTH)                                                                              \
    F(sum_double, double, SUM, PLUS_OF_REALS)                                                                           \
    F(most_double, double, MOST_OF, PLUS_OF_REALS)

#define PLUS_OF_REALS(x, y) ((x) * 0.5 + (y) * 0.25)

LIST(KERNELS)

int main(void) {
#define SHOW(NAME, T, OP, TERM) printf("%-18s %016llx\n", #NAME, (unsigned long long)all_##NAME(1));
    LIST(SHOW)
}
