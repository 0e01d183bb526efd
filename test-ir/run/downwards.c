// Sums that are counted downwards: what their operands have in a row lies one before the other, and comes in squares all the same.
// RUN: %clang -O3 -march=native -w -I%S/Inputs %s -o %t.plain -lm && %t.plain > %t.expected
// RUN: %loopwright-clang -O3 -march=znver5 -w -I%S/Inputs -Rpass=loopwright %s -c -o %t.o 2>&1 | %FileCheck %s
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs %s -o %t.auto -lm && %t.auto > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs -mllvm -loopwright-policy=force %s -o %t.force -lm && %t.force > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs -mllvm -loopwright-policy=kernels %s -o %t.kernels -lm && %t.kernels > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=haswell -w -I%S/Inputs -mllvm -loopwright-policy=kernels %s -o %t.haswell -lm && %t.haswell > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs -mllvm -loopwright-policy=random -mllvm -loopwright-seed=3 %s -o %t.random -lm && %t.random > %t.out && diff %t.expected %t.out
#include "hash.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define KERNEL __attribute__((noinline)) static void

// CHECK: downwards.c:[[#@LINE+2]]:5: remark: {{.*}}register tile of 16 with blocks transposed in registers
KERNEL choldc(int n, float **a, float *p) {
    for (int i = 0; i < n; i++)
        for (int j = i; j < n; j++) {
            float sum = a[i][j];
            for (int k = i - 1; k >= 0; k--) sum -= a[i][k] * a[j][k];
            if (i == j) p[i] = sqrtf(sum);
            else a[j][i] = sum / p[i];
        }
}

// CHECK: downwards.c:[[#@LINE+2]]:5: remark: {{.*}}register tile of 16 with blocks transposed in registers
KERNEL times_vector(int m, int n, double y[m], double a[m][n], double x[n]) {
    for (int i = 0; i < m; i++) {
        double s = y[i];
        for (int k = n - 1; k >= 0; k--) s += a[i][k] * x[k];
        y[i] = s;
    }
}

// CHECK: downwards.c:[[#@LINE+2]]:5: remark: {{.*}}register tile 8x24 with packed operands
KERNEL product(int m, int n, double c[m][m], double a[m][n], double b[n][m]) {
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++)
            for (int k = n - 1; k >= 0; k--) c[i][j] += a[i][k] * b[k][j];
}

// From where the row begins to where it ends, and every term that is left above.
KERNEL trapezoid(int m, int n, double y[m], double a[m][n], double x[n]) {
    for (int i = 0; i < m; i++)
        for (int k = n - 1; k >= i; k--) y[i] -= a[i][k] * x[k];
}

static double value(size_t k) { return (double)(k * 2654435761u % 1000) / 500 - 0.9; }

int main(void) {
    static const int sizes[] = {0, 1, 2, 7, 16, 33, 47, 64, 81, 150};
    for (int t = 0; t < (int)(sizeof sizes / sizeof *sizes); t++)
        for (int d = -1; d <= 19; d += 10) {
            int m = sizes[t], n = m + d < 1 ? 1 : m + d;
            size_t cells = (size_t)m * n + (size_t)m * m + (size_t)n * n + 1;
            double *a = malloc(cells * sizeof *a), *b = malloc(cells * sizeof *b), *c = malloc(cells * sizeof *c);
            float *f = malloc(cells * sizeof *f), *p = calloc(n + 1, sizeof *p), **rows = malloc((n + 1) * sizeof *rows);
            for (size_t k = 0; k < cells; k++) a[k] = value(k), b[k] = value(k + 7), c[k] = value(k + 13), f[k] = (float)value(k + 3);
            // The rows the other way round.
            for (int i = 0; i < n; i++) rows[i] = f + (size_t)(n - 1 - i) * n, rows[i][i] += 2 * n, p[i] = 0;
            choldc(n, rows, p);
            times_vector(m, n, c, (void *)a, b);
            trapezoid(m < n ? m : n, n, c + m, (void *)a, b);
            product(m, n, (void *)c, (void *)a, (void *)b);
            printf("%d %d %016llx %016llx %016llx\n", m, n, hash(1, c, cells * sizeof *c), hash(2, f, cells * sizeof *f), hash(3, p, (n + 1) * sizeof *p));
            free(a), free(b), free(c), free(f), free(p), free(rows);
        }
    return 0;
}
