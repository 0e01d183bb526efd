// Rows in lanes that call the C library's vectors compute what plain loops do, as nearly as those are promised to round (4 units in the last place a call).
// RUN: %clang -O3 -march=x86-64-v3 -DNAME=plain -c %s -o %t.plain.o
// RUN: %loopwright-clang -O3 -march=x86-64-v3 -ffast-math -fveclib=libmvec -DNAME=lanes -Rpass=loopwright -c %s -o %t.lanes.o 2>&1 | %FileCheck %s
// RUN: %loopwright-clang -O3 -march=x86-64-v3 -ffast-math -fveclib=libmvec -DNAME=three -mllvm -loopwright-policy=force -mllvm -loopwright-lanes=3 -c %s -o %t.three.o
// RUN: %clang -O1 -DMAIN -c %s -o %t.main.o
// RUN: %clang %t.main.o %t.plain.o %t.lanes.o %t.three.o -lmvec -lm -o %t
// RUN: %t
// REQUIRES: x86-64-v3, libmvec
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef MAIN
#define JOIN(a, b) a##_##b
#define KERNEL(name, kind) void JOIN(name, kind)
#define FILTER(kind) KERNEL(filter, kind)
#define GATE(kind) KERNEL(gate, kind)
#define POWERS(kind) KERNEL(powers, kind)

// CHECK: loops in 4 lanes
FILTER(NAME)(int n, int m, double x[restrict n][m], double b[restrict n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 1; j < m; j++) x[i][j] = x[i][j - 1] * 0.5 + exp(b[i][j]);
}

// CHECK: loops in {{.*}}8 lanes
GATE(NAME)(int n, int m, float x[restrict n][m], float b[restrict n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 1; j < m; j++) x[i][j] = 1.0f / (1.0f + expf(-(0.7f * x[i][j - 1] + b[i][j])));
}

// CHECK: loops in {{.*}}4 lanes
POWERS(NAME)(int n, int m, double x[restrict n][m], double b[restrict n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 1; j < m; j++) x[i][j] = pow(x[i][j - 1] + 1.0, 0.5) + sin(b[i][j]) * cos(b[i][j - 1]);
}
#else
#define DECLARE(kind)                                             \
    void filter_##kind(int, int, double *restrict, double *restrict); \
    void gate_##kind(int, int, float *restrict, float *restrict);     \
    void powers_##kind(int, int, double *restrict, double *restrict);
DECLARE(plain) DECLARE(lanes) DECLARE(three)

#define COMPARE(type, kernel, kind, tolerance)                                                        \
    do {                                                                                              \
        type *x = calloc(n * m, sizeof *x), *y = calloc(n * m, sizeof *y), *b = calloc(n * m, sizeof *b); \
        for (int k = 0; k < n * m; k++) b[k] = (type)((k * 7919 % 1000) / 250.0 - 2.0);                \
        kernel##_plain(n, m, x, b);                                                                   \
        kernel##_##kind(n, m, y, b);                                                                  \
        for (int k = 0; k < n * m; k++)                                                               \
            if (!(fabs(x[k] - y[k]) <= tolerance * (1.0 + fabs(x[k])))) {                              \
                printf("%s %s %d x %d: %.17g is %.17g\n", #kernel, #kind, n, m, (double)x[k], (double)y[k]); \
                return 1;                                                                             \
            }                                                                                         \
        free(x), free(y), free(b);                                                                    \
    } while (0)
#define COMPARE_ALL(kind)                     \
    COMPARE(double, filter, kind, 1e-14);     \
    COMPARE(float, gate, kind, 1e-5);         \
    COMPARE(double, powers, kind, 1e-13)

int main(void) {
    for (int n = 1; n < 40; n += 3)
        for (int m = 1; m < 60; m += 7) {
            COMPARE_ALL(lanes);
            COMPARE_ALL(three);
        }
    return 0;
}
#endif
