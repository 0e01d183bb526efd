// Products of numbers in parts, whose cells lie behind each other: complex matrices, vectors of three and four numbers; all orders of loops, conjugates, triangles, sums that start with what is there, all
// sizes around those of tiles, arrays that meet.
// RUN: %clang -O3 -march=native -w -I%S/Inputs %s -o %t.plain && %t.plain > %t.expected
// RUN: %loopwright-clang -O3 -march=emeraldrapids -w -I%S/Inputs -Rpass=loopwright %s -c -o %t.o 2>&1 | %FileCheck %s
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs %s -o %t.auto && %t.auto > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs -mllvm -loopwright-policy=kernels %s -o %t.kernels && %t.kernels > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs -mllvm -loopwright-policy=random -mllvm -loopwright-seed=5 %s -o %t.random && %t.random > %t.out && diff %t.expected %t.out
// RUN: %clang -O3 -w -I%S/Inputs %s -o %t.plain && %t.plain > %t.expected
// RUN: %loopwright-clang -O3 -w -I%S/Inputs %s -o %t.auto && %t.auto > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -w -I%S/Inputs -mllvm -loopwright-policy=kernels %s -o %t.kernels && %t.kernels > %t.out && diff %t.expected %t.out
#include "hash.h"
#include <stdio.h>

#define KERNEL __attribute__((noinline)) static void

enum { MOST = 70, CELLS = 4 * (MOST + 1) * (MOST + 1) };

#define KERNELS(T)                                                                                                     \
    typedef struct { T re, im; } pair_##T;                                                                             \
    typedef struct { T x, y, z; } point_##T;                                                                           \
    typedef struct { T x, y, z, w; } row_##T;                                                                          \
    KERNEL product_##T(int n, int m, pair_##T c[n][m], pair_##T a[n][n], pair_##T b[n][m]) {                           \
        for (int i = 0; i < n; i++)                                                                                    \
            for (int j = 0; j < m; j++) {                                                                              \
                T re = 0, im = 0;                                                                                      \
                for (int k = 0; k < n; k++) {                                                                          \
                    re += a[i][k].re * b[k][j].re - a[i][k].im * b[k][j].im;                                           \
                    im += a[i][k].re * b[k][j].im + a[i][k].im * b[k][j].re;                                           \
                }                                                                                                      \
                c[i][j].re = re, c[i][j].im = im;                                                                      \
            }                                                                                                          \
    }                                                                                                                  \
    KERNEL added_##T(int n, int m, pair_##T c[n][m], pair_##T a[n][n], pair_##T b[n][m]) {                             \
        for (int k = 0; k < n; k++)                                                                                    \
            for (int i = 0; i < n; i++)                                                                                \
                for (int j = 0; j < m; j++) {                                                                          \
                    c[i][j].re += a[i][k].re * b[k][j].re - a[i][k].im * b[k][j].im;                                   \
                    c[i][j].im += a[i][k].re * b[k][j].im + a[i][k].im * b[k][j].re;                                   \
                }                                                                                                      \
    }                                                                                                                  \
    KERNEL conjugate_##T(int n, int m, pair_##T c[n][n], pair_##T a[n][m]) {                                           \
        for (int i = 0; i < n; i++)                                                                                    \
            for (int j = 0; j <= i; j++)                                                                               \
                for (int k = 0; k < m; k++) {                                                                          \
                    c[i][j].re += a[i][k].re * a[j][k].re + a[i][k].im * a[j][k].im;                                   \
                    c[i][j].im += a[i][k].im * a[j][k].re - a[i][k].re * a[j][k].im;                                   \
                }                                                                                                      \
    }                                                                                                                  \
    KERNEL imaginary_##T(int n, int m, pair_##T c[n][m], T a[n][n], pair_##T b[n][m]) {                                \
        for (int i = 0; i < n; i++)                                                                                    \
            for (int j = 0; j < m; j++)                                                                                \
                for (int k = 0; k < n; k++) c[i][j].im += a[i][k] * b[k][j].re;                                        \
    }                                                                                                                  \
    KERNEL points_##T(int n, int m, point_##T c[n][m], T a[n][n], point_##T b[n][m]) {                                 \
        for (int i = 0; i < n; i++)                                                                                    \
            for (int j = 0; j < m; j++) {                                                                              \
                c[i][j].y = 1;                                                                                         \
                for (int k = 0; k < n; k++) {                                                                          \
                    c[i][j].x += a[i][k] * b[k][j].y;                                                                  \
                    c[i][j].y -= a[i][k] * b[k][j].z;                                                                  \
                    c[i][j].z += a[k][i] * b[k][j].x;                                                                  \
                }                                                                                                      \
            }                                                                                                          \
    }                                                                                                                  \
    KERNEL rows_##T(int n, int m, row_##T c[n][m], row_##T a[n][n], row_##T b[n][m]) {                                 \
        for (int j = 0; j < m; j++)                                                                                    \
            for (int i = 0; i < n; i++)                                                                                \
                for (int k = 0; k < n; k++) {                                                                          \
                    c[i][j].x += a[i][k].w * b[k][j].y;                                                                \
                    c[i][j].w += a[i][k].x * b[k][j].z - a[i][k].y * b[k][j].x;                                        \
                }                                                                                                      \
    }                                                                                                                  \
    static void all_##T(int n, int m) {                                                                                \
        static T memory[3][CELLS];                                                                                     \
        T *x[3] = {somewhere(memory[0]), somewhere(memory[1]), somewhere(memory[2])};                    \
        for (int what = 0; what < 9; what++) {                                                                         \
            for (int k = 0; k < CELLS; k++) {                                                                          \
                x[0][k] = (T)(k * 37 % 101) / 8, x[1][k] = (T)(k * 53 % 11) / 8 - 1, x[2][k] = (T)(k * 29 % 7) / 3;    \
            }                                                                                                          \
            switch (what) {                                                                                            \
            case 0: product_##T(n, m, (void *)x[0], (void *)x[1], (void *)x[2]); break;                                \
            case 1: added_##T(n, m, (void *)x[0], (void *)x[1], (void *)x[2]); break;                                  \
            case 2: conjugate_##T(n, m, (void *)x[0], (void *)x[1]); break;                                            \
            case 3: imaginary_##T(n, m, (void *)x[0], (void *)x[1], (void *)x[2]); break;                              \
            case 4: points_##T(n, m, (void *)x[0], (void *)x[1], (void *)x[2]); break;                                 \
            case 5: rows_##T(n, m, (void *)x[0], (void *)x[1], (void *)x[2]); break;                                   \
            case 6: product_##T(n, m, (void *)x[0], (void *)x[1], (void *)(x[0] + 1)); break;                          \
            case 7: added_##T(n, m, (void *)x[0], (void *)(x[0] + 2 * m), (void *)x[2]); break;                        \
            case 8: imaginary_##T(n, m, (void *)x[0], (void *)(x[0] + 2), (void *)x[0]); break;                        \
            }                                                                                                          \
            printf("%s %d %d %d %llx\n", #T, n, m, what, (unsigned long long)hash(1, memory, sizeof memory));                    \
        }                                                                                                              \
    }

// CHECK-DAG: complex.c:[[#@LINE+1]]:1: remark: interchanged loops, {{.*}}register tile 12x16 with packed operands
KERNELS(double)
KERNELS(float)
KERNELS(int)

int main(void) {
    int sizes[] = {0, 1, 2, 3, 4, 5, 7, 8, 9, 12, 13, 16, 17, 24, 31, 33, 48, 50, 64, 70};
    for (int a = 0; a < 20; a++)
        for (int b = a % 4; b < 20; b += 4) {
            int n = sizes[a], m = sizes[b];
            all_double(n, m), all_float(n, m), all_int(n, m);
        }
    return 0;
}
