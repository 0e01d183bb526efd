// Rows of few columns, which LLVM unrolls and then scatters: vectors along the row, each whole; and products of small matrices of constant size, in halves of vectors where these end with the row.
// RUN: %clang -O3 -march=native -w -I%S/Inputs %s -o %t.plain && %t.plain > %t.expected
// RUN: %loopwright-clang -O3 -march=znver4 -w -I%S/Inputs -Rpass=loopwright -Rpass-missed=loopwright %s -c -o %t.o 2>&1 | %FileCheck %s
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs %s -o %t.auto && %t.auto > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs -mllvm -loopwright-policy=random -mllvm -loopwright-seed=4 %s -o %t.random && %t.random > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs -mllvm -loopwright-policy=random -mllvm -loopwright-seed=9 %s -o %t.random && %t.random > %t.out && diff %t.expected %t.out
// RUN: %clang -O2 -w -march=x86-64-v3 -I%S/Inputs %s -o %t.plain && %t.plain > %t.expected
// RUN: %loopwright-clang -O2 -w -march=x86-64-v3 -I%S/Inputs %s -o %t.auto && %t.auto > %t.out && diff %t.expected %t.out
// REQUIRES: x86-64-v3
#include "hash.h"
#include <stdio.h>
#include <stdlib.h>

#define KERNEL __attribute__((noinline)) static void
#define LOOP(i, n) for (int i = 0; i < n; i++)

// CHECK-DAG: rows_side_by_side.c:[[#@LINE+2]]:{{.*}}neighbours side by side in vectors;
KERNEL updates(int n, double (*restrict c)[12], const double *x, const double *y) {
    LOOP(i, n) LOOP(j, 12) c[i][j] += x[i] * y[j];
}

// Arrays that may meet. CHECK-DAG: rows_side_by_side.c:[[#@LINE+2]]:{{.*}}neighbours side by side in vectors;
KERNEL scaled(int n, float *out, const float *in, const float *scale, const float *shift) {
    LOOP(i, n) LOOP(j, 13) out[13 * i + j] = in[13 * i + j] * scale[j] + shift[j];
}

// Two rows at once. CHECK-DAG: rows_side_by_side.c:[[#@LINE+2]]:{{.*}}neighbours side by side in vectors;
KERNEL both(int n, long (*restrict c)[9], long (*restrict d)[9], const long *x) {
    LOOP(i, n) LOOP(j, 9) c[i][j] ^= x[i], d[i][j] += c[i][j];
}

// Eight cells of eight bytes are too many, of four they are not. CHECK-DAG: rows_side_by_side.c:[[#@LINE+2]]:{{.*}}neighbours side by side in vectors;
KERNEL eight(int n, double (*restrict c)[8], const double *restrict x, const double *restrict y) {
    LOOP(i, n) LOOP(j, 8) c[i][j] = x[i] - y[j];
}

// CHECK-DAG: rows_side_by_side.c:[[#@LINE+2]]:{{.*}}left the loops as they are
KERNEL of_floats(int n, float (*restrict c)[8], const float *restrict x, const float *restrict y) {
    LOOP(i, n) LOOP(j, 8) c[i][j] = x[i] - y[j];
}

// Each cell from its neighbour: no vectors, but nothing is scattered. CHECK-DAG: rows_side_by_side.c:[[#@LINE+2]]:{{.*}}told apart;
KERNEL shifted(int n, double (*restrict c)[12]) {
    LOOP(i, n) LOOP(j, 11) c[i][j] = c[i][j + 1] * 0.5;
}

// Rows that are loaded are gathered, too. CHECK-DAG: rows_side_by_side.c:[[#@LINE+2]]:{{.*}}told apart;
KERNEL maxima(int n, int *restrict most, int (*restrict a)[12]) {
    LOOP(i, n) {
        int m = a[i][0];
        for (int j = 1; j < 12; j++) m = a[i][j] > m ? a[i][j] : m;
        most[i] = m;
    }
}

// CHECK-DAG: rows_side_by_side.c:[[#@LINE+2]]:{{.*}}register tile {{[0-9]+}}x12;
KERNEL twelve(double (*restrict c)[12], double a[12][12], double b[12][12]) {
    LOOP(i, 12) LOOP(j, 12) LOOP(k, 12) c[i][j] += a[i][k] * b[k][j];
}

// The last vector of a row reaches into the next. CHECK-DAG: rows_side_by_side.c:[[#@LINE+2]]:{{.*}}register tile
KERNEL fifteen(double (*restrict c)[15], double a[15][15], double b[15][15]) {
    LOOP(i, 15) LOOP(j, 15) LOOP(k, 15) c[i][j] += a[i][k] * b[k][j];
}

int main(void) {
    static const int sizes[] = {0, 1, 2, 3, 7, 8, 9, 17, 64, 200};
    static double c[200 * 15], d[200 * 15], a[15 * 15], b[15 * 15];
    for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        int n = sizes[s];
        LOOP(k, 200 * 15) c[k] = k % 17 * 0.25 - 1, d[k] = k % 23 * 0.125;
        LOOP(k, 15 * 15) a[k] = k % 5 * 0.5 - 1, b[k] = k % 7 * 0.25;
        updates(n, (void *)c, d, a);
        printf("%d: updates %016lx", n, hash(1, c, sizeof c));
        eight(n, (void *)c, d, a);
        shifted(n, (void *)c);
        printf(" eight, shifted %016lx", hash(1, c, sizeof c));
        float *f = (float *)c, *g = (float *)d, *h = (float *)a;
        LOOP(k, 200 * 15) f[k] = k % 19 * 0.5f - 2, g[k] = k % 29 * 0.25f;
        LOOP(k, 30) h[k] = k % 3 - 0.5f;
        scaled(n, f, g, h, h + 15);
        printf(" scaled %016lx", hash(1, c, sizeof c));
        scaled(n < 100 ? n : 100, f + 5, f, h, f + 2600);
        scaled(n < 100 ? n : 100, f, f + 5, f + 20, h);
        printf(" meet %016lx", hash(1, c, sizeof c));
        of_floats(n, (void *)c, g, h);
        LOOP(k, 200 * 15) ((long *)c)[k] = k * 77777777777l, ((long *)d)[k] = k;
        both(n, (void *)c, (void *)d, (long *)a);
        maxima(n, (int *)a, (void *)c);
        printf(" both, maxima %016lx %016lx\n", hash(hash(1, a, sizeof a), c, sizeof c), hash(1, d, sizeof d));
    }
    LOOP(k, 200 * 15) c[k] = k % 17 * 0.25 - 1;
    LOOP(k, 15 * 15) a[k] = k % 5 * 0.5 - 1, b[k] = k % 7 * 0.25;
    twelve((void *)c, (void *)a, (void *)b);
    fifteen((void *)(c + 225), (void *)a, (void *)b);
    printf("products %016lx\n", hash(1, c, sizeof c));
}
