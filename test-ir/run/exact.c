// A product in front of a branch and its sum behind it (`c = beta == 0 ? alpha * t : alpha * t + beta * c`, as in the reference BLAS): nobody knows whether LLVM brings them together, and makes one operation of them. Where all factors
// that are known before are 1 or -1 it makes no difference, nor where nothing is added; elsewhere the original loops run.
// RUN: %clang -O2 -march=x86-64-v3 -w -I%S/Inputs -ffp-contract=fast %s -o %t.plain && %t.plain > %t.expected
// RUN: %loopwright-clang -O2 -march=x86-64-v3 -w -I%S/Inputs -ffp-contract=fast -Rpass=loopwright -Rpass-missed=loopwright %s -o %t.auto 2>&1 | %FileCheck %s
// RUN: %t.auto > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O2 -march=x86-64-v3 -w -I%S/Inputs -ffp-contract=fast -mllvm -loopwright-policy=kernels %s -o %t.kernels && %t.kernels > %t.out && diff %t.expected %t.out
// RUN: %clang -O3 -march=x86-64-v3 -w -I%S/Inputs -ffp-contract=fast %s -o %t.plain && %t.plain > %t.expected
// RUN: %loopwright-clang -O3 -march=x86-64-v3 -w -I%S/Inputs -ffp-contract=fast %s -o %t.auto && %t.auto > %t.out && diff %t.expected %t.out
// REQUIRES: x86-64-v3
#include "hash.h"
#include <math.h>
#include <stdio.h>

#define KERNEL __attribute__((noinline)) static void

enum { MOST = 70 };
static double a[MOST * MOST], b[MOST * MOST], c[MOST * MOST];
static float of_floats[MOST * MOST], factors_of_floats[MOST * MOST];

// CHECK: exact.c:[[#@LINE+2]]:5: remark: {{.*}}register tile {{.*}}; predicted
KERNEL both_transposed(int n, double alpha, double beta, double (*restrict c)[n], double (*restrict a)[n], double (*restrict b)[n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double t = 0;
            for (int k = 0; k < n; k++) t += a[k][i] * b[j][k];
            if (beta == 0)
                c[i][j] = alpha * t;
            else
                c[i][j] = alpha * t + beta * c[i][j];
        }
}

// Factors that change in the nest.
// CHECK: exact.c:[[#@LINE+2]]:5: remark: cannot transform the loops: LLVM may bring a product and its sum together, and make them one operation
KERNEL by_rows(int n, const double *restrict alpha, double beta, double (*restrict c)[n], double (*restrict a)[n], double (*restrict b)[n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double t = 0;
            for (int k = 0; k < n; k++) t += a[k][i] * b[j][k];
            if (beta == 0)
                c[i][j] = alpha[i] * t;
            else
                c[i][j] = alpha[i] * t + beta * c[i][j];
        }
}

// CHECK: exact.c:[[#@LINE+2]]:5: remark: {{.*}}register tile {{.*}}; predicted
KERNEL rank(int n, float alpha, float beta, float (*restrict c)[n], float (*restrict a)[n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            float t = 0;
            for (int k = 0; k < n; k++) t += a[i][k] * a[j][k];
            if (beta == 0)
                c[i][j] = alpha * t;
            else
                c[i][j] = alpha * t - beta * c[i][j];
        }
}

int main(void) {
    static const double factors[] = {0, 1, -1, 0.3, 1.5, -0.0, INFINITY, 1e-300};
    static const int sizes[] = {1, 7, 33, 70};
    enum { FACTORS = sizeof factors / sizeof *factors };
    for (int s = 0; s < 4; s++)
        for (int x = 0; x < FACTORS; x++)
            for (int y = 0; y < FACTORS; y++) {
                int n = sizes[s];
                for (int k = 0; k < n * n; k++) {
                    a[k] = (k * 37 % 101 + 1) / 97.0, b[k] = (k * 53 % 89 - 40) / 83.0, c[k] = (k * 29 % 71 - 30) / 67.0;
                    factors_of_floats[k] = (float)b[k], of_floats[k] = (float)c[k];
                }
                both_transposed(n, factors[x], factors[y], (void *)c, (void *)a, (void *)b);
                for (int k = 0; k < n * n; k++) c[k] = c[k] == c[k] ? c[k] : NAN;
                printf("%d %d %d %016llx\n", n, x, y, (unsigned long long)hash(7, c, (size_t)n * n * 8));
                by_rows(n, a, factors[y], (void *)c, (void *)a, (void *)b);
                for (int k = 0; k < n * n; k++) c[k] = c[k] == c[k] ? c[k] : NAN;
                printf("%d %d %d %016llx\n", n, x, y, (unsigned long long)hash(7, c, (size_t)n * n * 8));
                rank(n, (float)factors[x], (float)factors[y], (void *)of_floats, (void *)factors_of_floats);
                for (int k = 0; k < n * n; k++) of_floats[k] = of_floats[k] == of_floats[k] ? of_floats[k] : NAN;
                printf("%d %d %d %016llx\n", n, x, y, (unsigned long long)hash(7, of_floats, (size_t)n * n * 4));
            }
}
