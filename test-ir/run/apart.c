// Eliminations in one array, whose rows LLVM does not see apart: with pivots, of Gauss and Jordan, one step, upwards, of columns; where rows are the same in truth.
// RUN: %clang -O3 -march=native -w -I%S/Inputs %s -o %t.plain && %t.plain > %t.expected
// RUN: %loopwright-clang -O3 -march=emeraldrapids -w -I%S/Inputs -Rpass=loopwright %s -c -o %t.o 2>&1 | %FileCheck %s
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs %s -o %t.auto && %t.auto > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs -mllvm -loopwright-policy=kernels %s -o %t.kernels && %t.kernels > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs -mllvm -loopwright-policy=random -mllvm -loopwright-seed=5 %s -o %t.random && %t.random > %t.out && diff %t.expected %t.out
// RUN: %clang -O3 -w -I%S/Inputs %s -o %t.plain && %t.plain > %t.expected
// RUN: %loopwright-clang -O3 -w -I%S/Inputs %s -o %t.auto && %t.auto > %t.out && diff %t.expected %t.out
#include "hash.h"
#include <math.h>
#include <stdio.h>

#define KERNEL __attribute__((noinline)) static void

enum { MOST = 70, CELLS = (MOST + 1) * (2 * MOST + 4) };

#define KERNELS(T)                                                                                    \
    KERNEL pivots_##T(int n, int s, T *a) {                                                           \
        for (int k = 0; k < n; k++) {                                                                 \
            int most = k;                                                                             \
            for (int i = k + 1; i < n; i++)                                                           \
                if (fabs(a[i * s + k]) > fabs(a[most * s + k])) most = i;                             \
            for (int j = 0; j < n; j++) {                                                             \
                T moved = a[k * s + j];                                                               \
                a[k * s + j] = a[most * s + j];                                                       \
                a[most * s + j] = moved;                                                              \
            }                                                                                         \
            for (int i = k + 1; i < n; i++) {                                                         \
                a[i * s + k] /= a[k * s + k];                                                         \
                for (int j = k + 1; j < n; j++) a[i * s + j] -= a[i * s + k] * a[k * s + j];          \
            }                                                                                         \
        }                                                                                             \
    }                                                                                                 \
    KERNEL jordan_##T(int n, int s, T a[][s]) {                                                       \
        for (int k = 0; k < n; k++) {                                                                 \
            T d = 1 / a[k][k];                                                                        \
            for (int j = 0; j < n + 3; j++) a[k][j] *= d;                                             \
            for (int i = 0; i < n; i++)                                                               \
                if (i != k) {                                                                         \
                    T f = a[i][k];                                                                    \
                    for (int j = 0; j < n + 3; j++) a[i][j] -= f * a[k][j];                           \
                }                                                                                     \
        }                                                                                             \
    }                                                                                                 \
    /* Row k may be one of them. */                                                                   \
    KERNEL step_##T(int n, int s, int k, int from, T a[][s]) {                                        \
        for (int i = from; i < n; i++)                                                                \
            for (int j = 0; j < n; j++) a[i][j] -= a[i][n] * a[k][j];                                 \
    }                                                                                                 \
    KERNEL upwards_##T(int n, int s, int k, T a[][s]) {                                               \
        for (int i = k - 1; i >= 0; i--)                                                              \
            for (int j = k - 1; j >= 0; j--) a[i][j] -= a[i][k] * a[k][j];                            \
    }                                                                                                 \
    KERNEL columns_##T(int n, int s, int k, T a[][s]) {                                               \
        for (int j = k + 1; j < n; j++)                                                               \
            for (int i = k + 1; i < n; i++) a[j][i] -= a[j][k] * a[k][i];                             \
    }                                                                                                 \
    static void all_##T(int n, int s) {                                                               \
        static T a[CELLS];                                                                            \
        for (int what = 0; what < 8; what++) {                                                        \
            for (int k = 0; k < CELLS; k++) a[k] = (T)(k * 37 % 101) / 25 - 2;                        \
            for (int k = 0; k < n; k++) a[k * (s + 1)] += what == 0 ? 0 : 30;                         \
            switch (what) {                                                                           \
            case 0: pivots_##T(n, s, a); break;                                                       \
            case 1: jordan_##T(n, s, (void *)a); break;                                               \
            case 2: step_##T(n, s, 0, 1, (void *)a); break;                                           \
            case 3: step_##T(n, s, n / 2, 0, (void *)a); break;                                       \
            case 4: step_##T(n, s, n - 1, 0, (void *)a); break;                                       \
            case 5: upwards_##T(n, s, n / 2, (void *)a); break;                                       \
            case 6: columns_##T(n, s, n / 3, (void *)a); break;                                       \
            case 7: columns_##T(n, s, 0, (void *)a); break;                                           \
            }                                                                                         \
            printf("%d %d %d %llx\n", n, s, what, (unsigned long long)hash(1, a, sizeof a));          \
        }                                                                                             \
    }

// CHECK: apart.c:[[#@LINE+1]]:1: remark: accesses told apart
KERNELS(double)
KERNELS(float)

int main(void) {
    for (int n = 0; n <= MOST; n = n < 20 ? n + 1 : n + 7) {
        all_double(n, n + 3), all_double(n, 2 * n + 3);
        all_float(n, n + 3), all_float(n, 2 * n + 3);
    }
    return 0;
}
