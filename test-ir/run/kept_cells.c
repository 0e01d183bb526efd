// Stores under a condition on data to cells that LLVM keeps in registers besides: least and largest terms, with and without a store in front, of numbers that are none, what is decided by other data, in
// two steps, by a division, with places of the least; cells that other statements read or store to meanwhile. All sizes, arrays that may meet and do.
// RUN: %clang -O3 -march=native -w -I%S/Inputs %s -o %t.plain && %t.plain > %t.expected
// RUN: %loopwright-clang -O3 -march=emeraldrapids -w -I%S/Inputs -Rpass=loopwright %s -c -o %t.o 2>&1 | %FileCheck %s
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs %s -o %t.auto && %t.auto > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs -mllvm -loopwright-policy=kernels %s -o %t.kernels && %t.kernels > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs -mllvm -loopwright-policy=force -mllvm -loopwright-tile=4 %s -o %t.force && %t.force > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs -mllvm -loopwright-policy=random -mllvm -loopwright-seed=5 %s -o %t.random && %t.random > %t.out && diff %t.expected %t.out
// RUN: %clang -O3 -w -I%S/Inputs %s -o %t.plain && %t.plain > %t.expected
// RUN: %loopwright-clang -O3 -w -I%S/Inputs %s -o %t.auto && %t.auto > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -w -I%S/Inputs -mllvm -loopwright-policy=random -mllvm -loopwright-seed=7 %s -o %t.random && %t.random > %t.out && diff %t.expected %t.out
#include "hash.h"
#include <math.h>
#include <stdio.h>

#define KERNEL __attribute__((noinline)) static

enum { MOST = 40, CELLS = MOST * MOST + 4 * MOST };

#define KERNELS(T, FIRST)                                                                                               \
    /* The cheapest order of a chain of products: by intervals, shortest first. */                                      \
    KERNEL void chain_##T(int n, T *e, T c[n][n]) {                                                                     \
        for (int i = 0; i < n; i++) c[i][i] = 0;                                                                        \
        for (int length = 2; length <= n; length++)                                                                     \
            for (int i = 0; i <= n - length; i++) {                                                                     \
                int j = i + length - 1;                                                                                 \
                c[i][j] = FIRST;                                                                                        \
                for (int k = i; k < j; k++) {                                                                           \
                    T term = c[i][k] / 4 + c[k + 1][j] / 4 + e[k] / 2;                                                  \
                    if (term < c[i][j]) c[i][j] = term;                                                                 \
                }                                                                                                       \
            }                                                                                                           \
    }                                                                                                                   \
    /* The same by rows, with something else in front and behind. */                                                    \
    KERNEL void rows_##T(int n, T *e, T c[n][n]) {                                                                      \
        for (int i = n - 1; i >= 0; i--)                                                                                \
            for (int j = i + 1; j < n; j++) {                                                                           \
                c[i][j] = e[i];                                                                                         \
                for (int k = i; k < j; k++)                                                                             \
                    if (!(c[i][j] >= c[i][k] / 2 + c[k + 1][j] / 2)) c[i][j] = c[i][k] / 2 + c[k + 1][j] / 2;           \
                c[i][j] = c[i][j] / 2 + e[j] / 2;                                                                       \
            }                                                                                                           \
    }                                                                                                                   \
    /* Shortest ways, each pair by itself: nothing is stored before. */                                                 \
    KERNEL void ways_##T(int n, T *e, T c[n][n]) {                                                                      \
        for (int i = 0; i < n; i++)                                                                                     \
            for (int j = 0; j < n; j++)                                                                                 \
                for (int k = 0; k < n; k++)                                                                             \
                    if (c[i][k] / 2 + c[k][j] / 2 < c[i][j]) c[i][j] = c[i][k] / 2 + c[k][j] / 2;                       \
    }                                                                                                                   \
    /* Boxes: terms from the last row. */                                                                               \
    KERNEL void boxes_##T(int n, T *e, T c[n][n]) {                                                                     \
        for (int i = 0; i < n - 1; i++)                                                                                 \
            for (int j = 0; j < n; j++) {                                                                               \
                c[i][j] = FIRST;                                                                                        \
                for (int k = 0; k < n; k++) {                                                                           \
                    T term = c[n - 1][k] / 2 - e[k + j] / 2;                                                            \
                    if (term < c[i][j]) c[i][j] = term;                                                                 \
                }                                                                                                       \
            }                                                                                                           \
    }                                                                                                                   \
    /* Decided by other data, and the old value in the new one. */                                                      \
    KERNEL void decided_##T(int n, T *e, T c[n][n]) {                                                                   \
        for (int i = 1; i < n; i++)                                                                                     \
            for (int j = 0; j < n; j++) {                                                                               \
                c[i][j] = c[i - 1][j] / 2;                                                                              \
                for (int k = 0; k < i; k++)                                                                             \
                    if (e[k] > 3) c[i][j] = c[i][j] / 2 - c[k][j] / 2;                                                  \
            }                                                                                                           \
    }                                                                                                                   \
    /* In two steps; the second term is read only then. */                                                              \
    KERNEL void steps_##T(int n, T *e, T c[n][n]) {                                                                     \
        for (int i = 0; i < n; i++)                                                                                     \
            for (int j = 1; j < n; j++) {                                                                               \
                c[i][j] = e[j];                                                                                         \
                for (int k = 0; k < j; k++)                                                                             \
                    if (e[k] > 0 && c[i][k] < c[i][j]) c[i][j] = c[i][k];                                               \
            }                                                                                                           \
    }                                                                                                                   \
    /* With the place of the least. */                                                                                  \
    KERNEL void places_##T(int n, T *e, T c[n][n]) {                                                                    \
        for (int i = 0; i + 1 < n; i++)                                                                                 \
            for (int j = 1; j < n; j++) {                                                                               \
                c[i][j] = FIRST;                                                                                        \
                for (int k = 0; k < n; k++) {                                                                           \
                    T term = c[n - 1][k] / 2 + e[k + j] / 2;                                                            \
                    if (term < c[i][j]) {                                                                               \
                        c[i][j] = term;                                                                                 \
                        c[i][0] = (T)k;                                                                                 \
                    }                                                                                                   \
                }                                                                                                       \
            }                                                                                                           \
    }                                                                                                                   \
    /* The store in front is not for all. */                                                                            \
    KERNEL void some_##T(int n, T *e, T c[n][n]) {                                                                      \
        for (int i = 0; i < n; i++)                                                                                     \
            for (int j = 0; j < n; j++) {                                                                               \
                if (i < j) c[i][j] = FIRST;                                                                             \
                for (int k = 0; k < i; k++)                                                                             \
                    if (c[k][j] / 2 < c[i][j]) c[i][j] = c[k][j] / 2;                                                   \
            }                                                                                                           \
    }                                                                                                                   \
    /* Others store to the cell meanwhile, or read it. */                                                               \
    KERNEL void meanwhile_##T(int n, T *e, T c[n][n]) {                                                                 \
        for (int i = 0; i < n; i++)                                                                                     \
            for (int j = 0; j < n; j++) {                                                                               \
                c[i][j] = FIRST;                                                                                        \
                for (int k = 0; k < n; k++) {                                                                           \
                    if (e[k] < c[i][j]) c[i][j] = e[k];                                                                 \
                    c[k][j] = c[k][j] / 2 + e[i] / 2;                                                                   \
                }                                                                                                       \
            }                                                                                                           \
    }                                                                                                                   \
    static uint64_t all_##T(uint64_t h) {                                                                               \
        typedef void F(int, T *, void *);                                                                               \
        F *const kernels[] = {(F *)chain_##T, (F *)rows_##T,   (F *)ways_##T, (F *)boxes_##T,    (F *)decided_##T,      \
                              (F *)steps_##T, (F *)places_##T, (F *)some_##T, (F *)meanwhile_##T};                      \
        for (int n = 0; n <= MOST; n += n < 9 ? 1 : 7)                                                                  \
            for (int f = 0; f < 9; f++)                                                                                 \
                for (int meet = 0; meet < 2; meet++) {                                                                  \
                    static T cells[CELLS];                                                                              \
                    for (int c = 0; c < CELLS; c++) cells[c] = (T)((c * 2654435761u >> 13) % 97) - (T)31;               \
                    if ((T)0.5 != 0 && n % 3 == 2) cells[n * n / 2] = (T)NAN, cells[n] = (T)-0.0;                       \
                    kernels[f](n, meet ? cells + n / 2 : cells + MOST * MOST + MOST / 2, cells);                        \
                    h = hash(h, cells, sizeof cells);                                                                   \
                }                                                                                                       \
        return h;                                                                                                       \
    }

typedef uint8_t byte;
KERNELS(double, HUGE_VAL)
KERNELS(float, HUGE_VALF)
KERNELS(int, 1000)
KERNELS(unsigned, 1000)
KERNELS(long, 1000)
KERNELS(byte, 200)

// A condition behind which there is a division: not for those that it does not hold for.
KERNEL void divided(int n, const int *e, int c[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            c[i][j] = 1000;
            for (int k = 0; k < n; k++)
                if (e[k] != 0 && i / e[k] + j < c[i][j]) c[i][j] = i / e[k] + j;
        }
}

// CHECK: interchanged loops{{.*}}
int main(void) {
#define SHOW(T) printf("%-9s %016llx\n", #T, (unsigned long long)all_##T(1));
    SHOW(double) SHOW(float) SHOW(int) SHOW(unsigned) SHOW(long) SHOW(byte)
    static int e[MOST], c[MOST * MOST];
    for (int n = 0; n <= MOST; n++) {
        for (int k = 0; k < MOST; k++) e[k] = k % 5 - 2;
        divided(n, e, (void *)c);
        printf("%d %016llx\n", n, (unsigned long long)hash(1, c, sizeof c));
    }
}
