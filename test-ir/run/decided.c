// Stores that data decide about: conditions that change in the innermost loop, that do not, several of which the later ones may only be asked where the earlier ones hold, numbers that are none; shortest
// ways by the textbook; all sizes, arrays that meet.
// RUN: %clang -O3 -march=native -w -I%S/Inputs %s -o %t.plain && %t.plain > %t.expected
// RUN: %loopwright-clang -O3 -march=emeraldrapids -w -I%S/Inputs -Rpass=loopwright %s -c -o %t.o 2>&1 | %FileCheck %s
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs %s -o %t.auto && %t.auto > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs -mllvm -loopwright-policy=force %s -o %t.force && %t.force > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs -mllvm -loopwright-policy=force -mllvm -loopwright-tile=4 %s -o %t.force && %t.force > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs -mllvm -loopwright-policy=random -mllvm -loopwright-seed=5 %s -o %t.random && %t.random > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=skylake-avx512 -c -w -I%S/Inputs %s -o %t.o -Rpass=loopwright 2>&1 | %FileCheck %s --check-prefix=MASKS
// RUN: %clang -O3 -w -I%S/Inputs %s -o %t.plain && %t.plain > %t.expected
// RUN: %loopwright-clang -O3 -w -I%S/Inputs %s -o %t.auto && %t.auto > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -w -I%S/Inputs -mllvm -loopwright-policy=random -mllvm -loopwright-seed=7 %s -o %t.random && %t.random > %t.out && diff %t.expected %t.out
#include "hash.h"
#include <stdio.h>

#define KERNEL __attribute__((noinline)) static void

enum { MOST = 70, CELLS = (MOST + 1) * (MOST + 1) };

#define KERNELS(T)                                                                                                    \
    KERNEL ways_##T(int n, T d[n][n]) {                                                                               \
        for (int k = 0; k < n; k++)                                                                                   \
            for (int i = 0; i < n; i++)                                                                               \
                for (int j = 0; j < n; j++)                                                                           \
                    if (d[i][k] + d[k][j] < d[i][j]) d[i][j] = d[i][k] + d[k][j];                                     \
    }                                                                                                                 \
    KERNEL skipped_##T(int n, T c[n][n], T a[n][n], T b[n][n]) {                                                      \
        for (int i = 0; i < n; i++)                                                                                   \
            for (int k = 0; k < n; k++)                                                                               \
                if (a[i][k] != 0)                                                                                     \
                    for (int j = 0; j < n; j++) c[i][j] += a[i][k] * b[k][j];                                         \
    }                                                                                                                 \
    KERNEL columns_##T(int n, T c[n][n], T a[n][n], T b[n][n]) {                                                      \
        for (int j = 0; j < n; j++)                                                                                   \
            for (int i = 0; i < n; i++)                                                                               \
                for (int k = 0; k < n; k++)                                                                           \
                    if (a[i][k] > 0) c[i][j] += a[i][k] * b[k][j];                                                    \
    }                                                                                                                 \
    KERNEL both_##T(int n, T limit, T c[n][n], T a[n][n], T b[n][n]) {                                                \
        for (int j = 0; j < n; j++)                                                                                   \
            for (int i = 0; i < n; i++)                                                                               \
                for (int k = 0; k < n; k++)                                                                           \
                    if (a[i][k] > 0 && b[i][k] < limit && !(a[i][k] >= b[i][k])) c[i][j] += b[k][j];                  \
    }                                                                                                                 \
    KERNEL fallen_##T(int n, T c[n][n], T a[n][n]) {                                                                  \
        for (int j = 0; j < n; j++)                                                                                   \
            for (int i = 0; i < n; i++)                                                                               \
                if (c[i][j] < a[j][i]) c[i][j] = a[j][i] - c[i][j];                                                   \
    }                                                                                                                 \
    static void all_##T(int n) {                                                                                      \
        static T memory[3][CELLS];                                                                                    \
        T *x[3] = {somewhere(memory[0]), somewhere(memory[1]), somewhere(memory[2])};                                 \
        for (int what = 0; what < 8; what++) {                                                                        \
            for (int k = 0; k < CELLS; k++) {                                                                         \
                x[0][k] = (T)(k * 37 % 101), x[1][k] = (T)(k * 53 % 11) - 5, x[2][k] = (T)(k * 29 % 7) - 2;           \
            }                                                                                                         \
            if ((T)0.5 != 0) x[1][5] = (T)__builtin_nan(""), x[0][7] = (T)__builtin_nan("");                          \
            switch (what) {                                                                                           \
            case 0: ways_##T(n, (void *)x[0]); break;                                                                 \
            case 1: skipped_##T(n, (void *)x[0], (void *)x[1], (void *)x[2]); break;                                  \
            case 2: columns_##T(n, (void *)x[0], (void *)x[1], (void *)x[2]); break;                                  \
            case 3: both_##T(n, 1, (void *)x[0], (void *)x[1], (void *)x[2]); break;                                  \
            case 4: fallen_##T(n, (void *)x[0], (void *)x[1]); break;                                                 \
            case 5: skipped_##T(n, (void *)x[0], (void *)(x[0] + n), (void *)x[2]); break;                            \
            case 6: both_##T(n, 1, (void *)x[0], (void *)x[1], (void *)(x[0] + 1)); break;                            \
            case 7: fallen_##T(n, (void *)x[0], (void *)x[0]); break;                                                 \
            }                                                                                                         \
            printf("%s %d %d %llx\n", #T, n, what, (unsigned long long)hash(1, memory, sizeof memory));               \
        }                                                                                                             \
    }

typedef unsigned char bytes;
// CHECK-DAG: decided.c:[[#@LINE+2]]:1: remark: interchanged loops
// MASKS-DAG: decided.c:[[#@LINE+1]]:1: remark: cut loops where they store what they read
KERNELS(int)
// MASKS-DAG: decided.c:[[#@LINE+1]]:1: remark: cut loops where they store what they read
KERNELS(double)
KERNELS(float)
KERNELS(short)
KERNELS(bytes)

int main(void) {
    for (int n = 0; n <= MOST; n = n < 18 ? n + 1 : n + 13) {
        all_int(n), all_double(n), all_float(n), all_short(n), all_bytes(n);
    }
    return 0;
}
