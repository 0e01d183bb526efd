// Bounds that are the least of several: bands, and loops tiled by hand.
// RUN: %execute %s
// RUN: %loopwright-clang -O3 -march=x86-64-v4 -w -c %s -o %t.o -Rpass=loopwright -I%S/Inputs 2>&1 | %FileCheck %s
#include "kernel.h"

#define MIN(a, b) ((a) < (b) ? (a) : (b))

// CHECK: least.c:[[#@LINE+2]]:{{.*}}register tile
KERNEL(rows_tiled, "double n*m, double n*k, double k*m", double C[n][m], double A[n][k], double B[k][m]) {
    for (int ii = 0; ii < n; ii += 8) {
        int end = MIN(ii + 8, n);
        for (int i = ii; i < end; i++)
            for (int l = 0; l < k; l++)
                for (int j = 0; j < m; j++) C[i][j] += A[i][l] * B[l][j];
    }
}

KERNEL(all_tiled, "double n*m, double n*k, double k*m", double C[n][m], double A[n][k], double B[k][m]) {
    for (long ii = 0; ii < n; ii += 4)
        for (long ll = 0; ll < k; ll += 5)
            for (long jj = 0; jj < m; jj += 6)
                for (long i = ii; i < MIN(ii + 4, n); i++)
                    for (long l = ll; l < MIN(ll + 5, k); l++)
                        for (long j = jj; j < MIN(jj + 6, m); j++) C[i][j] += A[i][l] * B[l][j];
}

// CHECK: least.c:[[#@LINE+2]]:{{.*}}register tile
KERNEL(band_above, "double m*n, double n*n", double X[m][n], double U[n][n]) {
    for (int i = 0; i < m; i++)
        for (int k = 0; k < n; k++)
            for (int j = k + 1; j < n && j < k + 21; j++) X[i][j] -= X[i][k] * U[k][j];
}

KERNEL(band_with_width, "double n*m, double m", double A[n][m], double x[m]) {
    for (int i = 0; i < n; i++) {
        int end = MIN(i + k, m);
        for (int j = i; j < end; j++) A[i][j] = A[i][j] * 0.5 + x[j];
    }
}

// Unsigned, and of three.
KERNEL(of_three, "float n*m, float m", float A[n][m], float x[m]) {
    for (unsigned i = 0; i < (unsigned)n; i++) {
        unsigned end = MIN(MIN(i + 7, (unsigned)m), 2 * i + 3);
        for (unsigned j = i; j < end; j++) A[i][j] += x[j] * 0.5f;
    }
}

// Empty where the width is none, or negative.
KERNEL(may_be_empty, "negative, double n*m, double n", double A[n][m], double s[n]) {
    for (int i = 0; i < n; i++) {
        int end = MIN(i + k - 3, m - 2);
        for (int j = i; j < end; j++) s[i] += A[i][j];
    }
}

// Sweeps over a stencil, tiled by hand.
KERNEL(stencil_tiled, "double n*m, double n*m", double A[n][m], double B[n][m]) {
    for (int ii = 1; ii < n - 1; ii += 16)
        for (int jj = 1; jj < m - 1; jj += 16)
            for (int i = ii; i < MIN(ii + 16, n - 1); i++)
                for (int j = jj; j < MIN(jj + 16, m - 1); j++)
                    B[i][j] = A[i - 1][j] + A[i + 1][j] + A[i][j - 1] + A[i][j + 1] - 4.0 * A[i][j];
}

// The largest where a loop begins: for others to do.
KERNEL(band_around, "double n*m, double m, double n", double A[n][m], double x[m], double y[n]) {
    for (int i = 0; i < n; i++)
        for (int j = i > 2 ? i - 2 : 0; j < MIN(i + 3, m); j++) y[i] += A[i][j] * x[j];
}
