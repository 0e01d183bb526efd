// Recurrences over planes, whose rows run abreast as the lanes of vectors: alignments, distances, paths, sums, of all types; rows that lie backwards, steps that skip cells, squares of other operands, one array
// read elsewhere; all sizes around the number of lanes; arrays that meet.
// RUN: %clang -O3 -march=native -w -I%S/Inputs %s -o %t.plain -lm && %t.plain > %t.expected
// RUN: %loopwright-clang -O3 -march=emeraldrapids -w -I%S/Inputs -Rpass=loopwright %s -c -o %t.o 2>&1 | %FileCheck %s
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs %s -o %t.auto -lm && %t.auto > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs -mllvm -loopwright-policy=random -mllvm -loopwright-seed=5 %s -o %t.random -lm && %t.random > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs -mllvm -loopwright-policy=random -mllvm -loopwright-seed=8 %s -o %t.random -lm && %t.random > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs -mllvm -loopwright-policy=kernels %s -o %t.kernels -lm && %t.kernels > %t.out && diff %t.expected %t.out
// RUN: %clang -O3 -w -I%S/Inputs %s -o %t.plain -lm && %t.plain > %t.expected
// RUN: %loopwright-clang -O3 -w -I%S/Inputs %s -o %t.auto -lm && %t.auto > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -w -march=x86-64-v3 -I%S/Inputs %s -o %t.auto -lm && %t.auto > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -w -I%S/Inputs -mllvm -loopwright-policy=random -mllvm -loopwright-seed=7 %s -o %t.random -lm && %t.random > %t.out && diff %t.expected %t.out
#include "hash.h"
#include <stdint.h>
#include <stdio.h>

#define KERNEL __attribute__((noinline)) static
#define LEAST(a, b) ((a) < (b) ? (a) : (b))
#define MOST(a, b) ((a) > (b) ? (a) : (b))

enum { CELLS = 130 * 130 };

#define KERNELS(T)                                                                                                       \
    KERNEL void align_##T(int n, int m, T t[n + 1][m + 1], T *a, T *b) {                                                 \
        for (int i = 0; i <= n; i++) t[i][0] = 0;                                                                        \
        for (int j = 0; j <= m; j++) t[0][j] = 0;                                                                        \
        for (int i = 1; i <= n; i++)                                                                                     \
            for (int j = 1; j <= m; j++) {                                                                               \
                T best = t[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 3 : -3);                                              \
                best = MOST(best, t[i - 1][j] - 2);                                                                      \
                best = MOST(best, t[i][j - 1] - 2);                                                                      \
                t[i][j] = MOST(best, 0);                                                                                 \
            }                                                                                                            \
    }                                                                                                                    \
    KERNEL void warp_##T(int n, int m, T t[n][m], T c[n][m]) {                                                           \
        for (int i = 1; i < n; i++)                                                                                      \
            for (int j = 1; j < m; j++)                                                                                  \
                t[i][j] = c[i][j] + LEAST(LEAST(t[i - 1][j], t[i][j - 1]), t[i - 1][j - 1]);                             \
    }                                                                                                                    \
    KERNEL void sums_##T(int n, int m, T t[n][m]) {                                                                      \
        for (int i = 1; i < n; i++)                                                                                      \
            for (int j = 1; j < m; j++) t[i][j] = t[i][j] + t[i - 1][j] + t[i][j - 1] - t[i - 1][j - 1];                 \
    }                                                                                                                    \
    KERNEL void backwards_##T(int n, int m, T t[n][m], T c[m][n], T *w) {                                                \
        for (int i = 1; i < n; i++)                                                                                      \
            for (int j = m - 2; j >= 0; j--) t[i][j] = (t[i][j + 1] ^ c[j][i]) + MOST(t[i - 1][j + 1], w[m - j]);        \
    }                                                                                                                    \
    KERNEL void far_##T(int n, int m, T t[n][m], T c[n][m]) {                                                            \
        for (int i = 1; i < n; i++)                                                                                      \
            for (int j = 3; j < m - 1; j++)                                                                              \
                t[i][j] = MOST(t[i - 1][j + 1], t[i][j - 1]) - (t[i - 1][j - 2] & c[i][j + 1]) + t[i][j - 3];            \
    }                                                                                                                    \
    KERNEL void upwards_##T(int n, int m, T t[n][m], T *a, T *b) {                                                       \
        for (int i = n - 2; i >= 0; i--)                                                                                 \
            for (int j = m - 2; j >= 0; j--)                                                                             \
                t[i][j] = a[i] == b[j] ? t[i + 1][j + 1] + 1 : MOST(t[i + 1][j], t[i][j + 1]);                           \
    }                                                                                                                    \
    KERNEL void triangle_##T(int n, T t[n][n], T *a) {                                                                   \
        for (int i = 1; i < n; i++)                                                                                      \
            for (int j = 1; j <= i; j++) t[i][j] = t[i][j - 1] + LEAST(t[i - 1][j - 1], a[j]);                           \
    }                                                                                                                    \
    KERNEL void band_##T(int n, int m, T *t, T *a) {                                                                     \
        for (int i = 1; i < n; i++)                                                                                      \
            for (int j = 1; j < m; j++) t[i * 128 + i + j] = MOST(t[i * 128 + i + j - 1], t[(i - 1) * 128 + i + j]) - a[j]; \
    }                                                                                                                    \
    static void all_##T(int n, int m) {                                                                                  \
        static T memory[3][CELLS];                                                                                       \
        T *x[3] = {somewhere(memory[0]), somewhere(memory[1]), somewhere(memory[2])};                    \
        for (int what = 0; what < 10; what++) {                                                                          \
            for (int k = 0; k < CELLS; k++) {                                                                            \
                x[0][k] = (T)(k * 37 % 101), x[1][k] = (T)(k * 53 % 11), x[2][k] = (T)(k * 29 % 7);                      \
            }                                                                                                            \
            switch (what) {                                                                                              \
            case 0: align_##T(n, m, (void *)x[0], x[1], x[2]); break;                                                    \
            case 1: warp_##T(n, m, (void *)x[0], (void *)x[1]); break;                                                   \
            case 2: sums_##T(n, m, (void *)x[0]); break;                                                                 \
            case 3: backwards_##T(n, m, (void *)x[0], (void *)x[1], x[2]); break;                                        \
            case 4: far_##T(n, m, (void *)x[0], (void *)x[1]); break;                                                    \
            case 5: upwards_##T(n, m, (void *)x[0], x[1], x[2]); break;                                                  \
            case 6: triangle_##T(LEAST(n, m), (void *)x[0], x[1]); break;                                                \
            case 7: band_##T(LEAST(n, 60), LEAST(m, 60), x[0], x[1]); break;                                             \
            case 8: align_##T(n, m, (void *)x[0], x[0] + 3, x[0] + m + 2); break;                                        \
            case 9: warp_##T(n, m, (void *)x[0], (void *)(x[0] + m)); break;                                             \
            }                                                                                                            \
            printf("%s %d %d %d %llx\n", #T, n, m, what, (unsigned long long)hash(1, memory, sizeof memory));                      \
        }                                                                                                                \
    }

typedef unsigned char bytes;
typedef long long wide;
// CHECK-DAG: wavefronts.c:[[#@LINE+1]]:1: remark: {{.*}}rows abreast in lanes
KERNELS(int)
KERNELS(short)
KERNELS(bytes)
KERNELS(wide)

// Numbers with a point, whose operations keep their order.
#define REALS(T)                                                                                                         \
    KERNEL void distances_##T(int n, int m, T t[n + 1][m + 1], T *a, T *b) {                                             \
        for (int i = 1; i <= n; i++)                                                                                     \
            for (int j = 1; j <= m; j++) {                                                                               \
                T c = __builtin_fabs(a[i - 1] - b[j - 1]);                                                               \
                T least = t[i - 1][j];                                                                                   \
                if (t[i][j - 1] < least) least = t[i][j - 1];                                                            \
                if (t[i - 1][j - 1] < least) least = t[i - 1][j - 1];                                                    \
                t[i][j] = c + least;                                                                                     \
            }                                                                                                            \
    }                                                                                                                    \
    KERNEL void filter_##T(int n, int m, T t[n][m], T c[n][m]) {                                                         \
        for (int i = 1; i < n; i++)                                                                                      \
            for (int j = 2; j < m; j++)                                                                                  \
                t[i][j] = (T)0.25 * t[i][j - 1] + (T)0.5 * t[i - 1][j] - (T)0.125 * t[i - 1][j - 2] + c[i][j];           \
    }                                                                                                                    \
    static void all_##T(int n, int m) {                                                                                  \
        static T memory[3][CELLS];                                                                                       \
        T *x[3] = {somewhere(memory[0]), somewhere(memory[1]), somewhere(memory[2])};                    \
        for (int what = 0; what < 4; what++) {                                                                           \
            for (int k = 0; k < CELLS; k++) {                                                                            \
                x[0][k] = (T)(k * 37 % 101) / 7, x[1][k] = (T)(k * 53 % 11) / 3, x[2][k] = (T)(k * 29 % 7) - 3;          \
            }                                                                                                            \
            if (what == 1) x[0][3] = x[1][2] = __builtin_nan("");                                                        \
            switch (what) {                                                                                              \
            case 0:                                                                                                      \
            case 1: distances_##T(n, m, (void *)x[0], x[1], x[2]); break;                                                \
            case 2: filter_##T(n, m, (void *)x[0], (void *)x[1]); break;                                                 \
            case 3: filter_##T(n, m, (void *)x[0], (void *)(x[0] + 2 * m)); break;                                       \
            }                                                                                                            \
            printf("%s %d %d %d %llx\n", #T, n, m, what, (unsigned long long)hash(1, memory, sizeof memory));                      \
        }                                                                                                                \
    }

REALS(float)
REALS(double)

int main(void) {
    int sizes[] = {0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 18, 31, 33, 40, 64, 99, 120};
    for (int a = 0; a < 19; a++)
        for (int b = a % 3; b < 19; b += 3) {
            int n = sizes[a], m = sizes[b];
            all_int(n, m), all_short(n, m), all_bytes(n, m), all_wide(n, m), all_float(n, m), all_double(n, m);
        }
    return 0;
}
