// Factorisations of bands: what shares the loops of their kernels stays in the corners of tiles, and loops that begin where others do, at the greatest of two numbers.
// RUN: %clang -O3 -march=native -w -I%S/Inputs %s -o %t.plain -lm && %t.plain > %t.expected
// RUN: %loopwright-clang -O3 -march=znver4 -fno-math-errno -w -I%S/Inputs -Rpass=loopwright %s -c -o %t.o 2>&1 | %FileCheck %s
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs %s -o %t.auto -lm && %t.auto > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=native -fno-math-errno -w -I%S/Inputs -mllvm -loopwright-policy=force %s -o %t.force -lm && %t.force > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=native -fno-math-errno -w -I%S/Inputs -mllvm -loopwright-policy=kernels %s -o %t.kernels -lm && %t.kernels > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=haswell -fno-math-errno -w -I%S/Inputs -mllvm -loopwright-policy=kernels %s -o %t.haswell -lm && %t.haswell > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=native -fno-math-errno -w -I%S/Inputs -mllvm -loopwright-policy=random -mllvm -loopwright-seed=5 %s -o %t.random -lm && %t.random > %t.out && diff %t.expected %t.out
#include "hash.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define KERNEL __attribute__((noinline)) static void

static inline int greater(int a, int b) { return a > b ? a : b; }
static inline int less(int a, int b) { return a < b ? a : b; }

// Diagonals as columns: what a quotient divides is on the row of its column, for every step.
// CHECK: factorised_bands.c:[[#@LINE+2]]:5: remark: {{.*}}register tile 12x8 with blocks transposed in registers
KERNEL packed(int n, int b, double a[n][b + 1]) {
    for (int j = 0; j < n; j++)
        for (int k = j + 1; k <= less(n - 1, j + b); k++) {
            double t = a[k][k - j] / a[j][0];
            for (int i = k; i <= less(n - 1, j + b); i++) a[i][i - k] -= t * a[i][i - j];
        }
}

// CHECK: factorised_bands.c:[[#@LINE+2]]:5: remark: {{.*}}register tile 12x8
KERNEL in_place(int n, int b, double a[n][n]) {
    for (int j = 0; j < n; j++)
        for (int k = j + 1; k <= less(n - 1, j + b); k++) {
            double t = a[k][j] / a[j][j];
            for (int i = k; i <= less(n - 1, j + b); i++) a[i][k] -= t * a[i][j];
        }
}

// CHECK: factorised_bands.c:[[#@LINE+2]]:5: remark: {{.*}}register tile 12x16
KERNEL lu(int n, int b, double a[n][n]) {
    for (int k = 0; k < n; k++)
        for (int i = k + 1; i < n && i <= k + b; i++) {
            a[i][k] /= a[k][k];
            for (int j = k + 1; j < n && j <= k + b; j++) a[i][j] -= a[i][k] * a[k][j];
        }
}

// Quotients along rows: made where rows, not columns, meet the depth.
// CHECK: factorised_bands.c:[[#@LINE+2]]:5: remark: {{.*}}register tile 12x16
KERNEL upper(int n, int b, double a[n][n]) {
    for (int j = 0; j < n; j++)
        for (int k = j + 1; k <= less(n - 1, j + b); k++) {
            double t = a[j][k] / a[j][j];
            for (int i = k; i <= less(n - 1, j + b); i++) a[k][i] -= t * a[j][i];
        }
}

// By rows, each from where the band begins. What starts the sum of the diagonal is in no band: no tile.
// CHECK: factorised_bands.c:[[#@LINE+2]]:5: remark: {{.*}}register tile of 16 with blocks transposed in registers
KERNEL by_rows(int n, int b, double a[n][n]) {
    for (int i = 0; i < n; i++) {
        for (int j = greater(0, i - b); j < i; j++) {
            double s = a[i][j];
            for (int k = greater(0, i - b); k < j; k++) s -= a[i][k] * a[j][k];
            a[i][j] = s / a[j][j];
        }
        double d = a[i][i];
        for (int k = greater(0, i - b); k < i; k++) d -= a[i][k] * a[i][k];
        a[i][i] = sqrt(d);
    }
}

KERNEL by_rows_float(int n, int b, int c, float a[n][n], float l[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = greater(c, i - b); j < i; j++)
            for (int k = greater(c, i - b); k < j; k++) a[i][j] -= l[i][k] * l[j][k];
}

// Two loops, one of which begins with the other, and one that does not.
KERNEL nested(int n, int b, double a[n][n], double l[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = greater(0, i - b); j < n; j++)
            for (int k = greater(0, i - b); k <= j; k++) a[i][k] += l[i][j] * l[j][k];
}
KERNEL apart(int n, int b, int c, double a[n][n], double l[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = greater(0, i - b); j < n; j++)
            for (int k = greater(0, i - c); k <= j - greater(0, i - b); k++) a[i][j] += l[i][k] * l[j][k];
}

static double value(size_t k) { return (double)(k * 2654435761u % 1000) / 500 - 0.9; }

int main(void) {
    static const int sizes[] = {0, 1, 2, 7, 24, 47, 64, 101, 150}, bands[] = {0, 1, 3, 16, 47, 60, 99, 200};
    for (int t = 0; t < (int)(sizeof sizes / sizeof *sizes); t++)
        for (int d = 0; d < (int)(sizeof bands / sizeof *bands); d++) {
            int n = sizes[t], b = bands[d];
            size_t cells = (size_t)n * n + (size_t)n * (b + 1) + 1, count = 8;
            double *all = malloc(count * cells * sizeof *all);
            float *f = malloc(2 * cells * sizeof *f);
            for (size_t k = 0; k < count * cells; k++) all[k] = value(k);
            for (size_t k = 0; k < 2 * cells; k++) f[k] = (float)value(k + 3);
            for (int i = 0; i < n; i++) {
                all[(size_t)i * (b + 1)] += 2 * n + 5;
                for (int m = 1; m < 8; m++) all[m * cells + (size_t)i * (n + 1)] += m < 4 || m > 6 ? 2 * n + 5 : 0;
            }
            packed(n, b, (void *)all);
            in_place(n, b, (void *)(all + cells));
            lu(n, b, (void *)(all + 2 * cells));
            upper(n, b, (void *)(all + 7 * cells));
            by_rows(n, b, (void *)(all + 3 * cells));
            by_rows_float(n, b, b % 3, (void *)f, (void *)(f + cells));
            nested(n, b, (void *)(all + 4 * cells), (void *)(all + 5 * cells));
            apart(n, b, b / 2, (void *)(all + 6 * cells), (void *)(all + 5 * cells));
            printf("%d %d %016llx %016llx\n", n, b, hash(1, all, count * cells * sizeof *all), hash(2, f, 2 * cells * sizeof *f));
            free(all), free(f);
        }
    return 0;
}
