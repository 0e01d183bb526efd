// What counters are behind their loops: used as a subscript, as a number of iterations, stored, counted down, in two loops one inside the other, of loops that may not run, in narrow types that wrap.
// RUN: %clang -O3 -march=native -w -I%S/Inputs %s -o %t.plain && %t.plain > %t.expected
// RUN: %loopwright-clang -O3 -march=emeraldrapids -w -I%S/Inputs -Rpass=loopwright -Rpass-missed=loopwright %s -c -o %t.o 2>&1 | %FileCheck %s
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs %s -o %t.auto && %t.auto > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs -mllvm -loopwright-policy=force %s -o %t.force && %t.force > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs -mllvm -loopwright-policy=kernels %s -o %t.kernels && %t.kernels > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs -mllvm -loopwright-policy=random -mllvm -loopwright-seed=3 %s -o %t.random && %t.random > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs -mllvm -loopwright-policy=random -mllvm -loopwright-seed=4 %s -o %t.random && %t.random > %t.out && diff %t.expected %t.out
#include "hash.h"
#include <stdint.h>
#include <stdio.h>

#define MOST 40
#define KERNEL __attribute__((noinline)) static

// Both loops are the region: the number counts the cells of a matrix.
// CHECK-DAG: counters.c:[[#@LINE+3]]:5: remark: left the loops as they are: the loops are already in the best form found
KERNEL void flattened(int n, double *flat, double a[n][n], double b[n][n]) {
    int k = -1;
    for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) { k++; flat[k] = a[i][j] + b[i][j]; }
}

KERNEL int last(int n, int step, double y[n], double x[n], double A[n][n]) {
    int k = 0, down = 3 * n;
    for (int i = 0; i < n; i++) {
        k = 5;
        for (int j = 0; j < n; j++) { y[j] += A[i][j] * x[i]; k += step; down--; }
    }
    return k * 1000 + down;
}

KERNEL int maybe(int n, int m, double y[n], double A[n][n]) {
    int k = 7;
    for (int i = m; i < n; i++) { y[i] = 0; for (int j = 0; j < i; j++) y[i] += A[i][j]; k = 2 * i; }
    return k;
}

KERNEL uint8_t narrow(int n, uint8_t start, float y[n], float A[n][n]) {
    uint8_t k = start;
    for (int j = 0; j < n; j++) for (int i = 0; i < n; i++) { y[i] += A[j][i]; k += 3; }
    return k;
}

KERNEL void stored(int n, int *at, double y[n], double A[n][n]) {
    int i, j = 0;
    for (i = 0; i < n; i++) { y[i] = 1; for (j = i; j < n; j += 2) y[i] += A[j][i]; }
    at[0] = i, at[1] = j;
}

KERNEL int triangle(int n, double y[n], double A[n][n]) {
    int k = 0;
    for (int i = 0; i < n; i++) for (int j = 0; j <= i; j++) { y[j] += A[i][j]; k++; }
    return k;
}

static double A[MOST * MOST], B[MOST * MOST], flat[MOST * MOST], x[MOST], y[MOST];
static float F[MOST * MOST], f[MOST];

int main(void) {
    for (int n = 0; n <= MOST; n += n < 6 ? 1 : 17) {
        if (n == 0) continue;
        unsigned seed = 11 + n;
        for (int i = 0; i < MOST * MOST; i++) A[i] = (seed = seed * 1103515245u + 12345u) % 100 / 8.0, B[i] = A[i] - 3, F[i] = B[i];
        for (int i = 0; i < MOST; i++) x[i] = i % 5, y[i] = i % 3, f[i] = i;
        int at[2];
        flattened(n, flat, (void *)A, (void *)B);
        printf("%d %016llx", n, hash(1, flat, sizeof flat));
        printf(" %d", last(n, 3, y, x, (void *)A));
        printf(" %d", last(n, -7, y, x, (void *)A));
        printf(" %d", maybe(n, 0, y, (void *)A));
        printf(" %d", maybe(n, n, y, (void *)A));
        printf(" %d", maybe(n, n / 2, y, (void *)A));
        printf(" %d", narrow(n, 250, f, (void *)F));
        stored(n, at, y, (void *)A);
        printf(" %d %d", at[0], at[1]);
        printf(" %d", triangle(n, y, (void *)A));
        printf(" %016llx %016llx\n", hash(1, y, sizeof y), hash(1, f, sizeof f));
    }
}
