// Nests inside loops that stay as they are: what is computed before them is a product of sizes, or of a counter of such a loop.
// RUN: %execute %s
#include "kernel.h"

KERNEL(batch, "double k*n*n, double k*n*n, double k*n*n", double C[k][n][n], double A[k][n][n], double B[k][n][n]) {
    for (int b = 0; b < k; b++) {
        note(b);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                for (int p = 0; p < n; p++) C[b][i][j] += A[b][i][p] * B[b][p][j];
    }
}

KERNEL(batch_downwards, "double k*n*m, double k*n*m", double *A, double *B) {
    for (int b = k - 1; b >= 0; b--) {
        note(b);
        double *a = A + (size_t)b * n * m, *x = B + (size_t)b * n * m;
        for (int j = 0; j < m; j++)
            for (int i = 0; i < n; i++) a[i * m + j] += 0.5 * x[i * m + j];
    }
}

// Rows by themselves.
KERNEL(rows, "double n*m", double A[n][m]) {
    for (int i = n - 1; i > 0; i--) {
        note(i);
        for (int j = 0; j < m; j++) A[i][j] = A[i][j] * 0.5 + A[i - 1][j];
    }
}

// From a counter of the loop around, up and down.
KERNEL(triangle, "double n*n, double n", double A[n][n], double x[n]) {
    for (int i = n - 1; i >= 0; i--) {
        note(i);
        for (int l = i + 1; l < n; l++)
            for (int j = i + 1; j < l; j++) A[j][l] += A[i][j] * x[l];
        for (int j = n - 1; j > i; j--) A[i][j] -= x[j];
    }
}
