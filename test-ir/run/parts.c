// Statements that are parts of one operation are made one; those that only look alike are not.
// RUN: %execute %s
#include "kernel.h"

KERNEL(lu_rows, "dominant, double n*n", double A[n][n]) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            for (int p = 0; p < j; p++) A[i][j] -= A[i][p] * A[p][j];
            A[i][j] /= A[j][j];
        }
        for (int j = i; j < n; j++)
            for (int p = 0; p < i; p++) A[i][j] -= A[i][p] * A[p][j];
    }
}

KERNEL(cholesky_rows_parts, "dominant, double n*n", double A[n][n]) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            for (int p = 0; p < j; p++) A[i][j] -= A[i][p] * A[j][p];
            A[i][j] /= A[j][j];
        }
        for (int p = 0; p < i; p++) A[i][i] -= A[i][p] * A[i][p];
        A[i][i] = sqrt(A[i][i]);
    }
}

// The same update, but for the sign.
KERNEL(lu_signs, "dominant, double n*n", double A[n][n]) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            for (int p = 0; p < j; p++) A[i][j] -= A[i][p] * A[p][j];
            A[i][j] /= A[j][j];
        }
        for (int j = i; j < n; j++)
            for (int p = 0; p < i; p++) A[i][j] += A[i][p] * A[p][j];
    }
}

// The same product, but for a constant.
KERNEL(product_constants, "double n*m, double n*k, double k*m", double C[n][m], double A[n][k], double B[k][m]) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m / 2; j++)
            for (int p = 0; p < k; p++) C[i][j] += 2.0 * A[i][p] * B[p][j];
        for (int j = m / 2; j < m; j++)
            for (int p = 0; p < k; p++) C[i][j] += 3.0 * A[i][p] * B[p][j];
    }
}

// One product in two halves.
KERNEL(product_halves, "double n*m, double n*k, double k*m", double C[n][m], double A[n][k], double B[k][m]) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m / 2; j++)
            for (int p = 0; p < k; p++) C[i][j] += 2.0 * A[i][p] * B[p][j];
        for (int j = m / 2; j < m; j++)
            for (int p = 0; p < k; p++) C[i][j] += 2.0 * A[i][p] * B[p][j];
    }
}

// Halves of a recurrence, the second half first: another order than that of one loop.
KERNEL(recurrence_halves, "double n", double x[n]) {
    for (int t = 0; t < 3; t++) {
        for (int i = n / 2; i < n - 1; i++) x[i + 1] = 0.5 * x[i];
        for (int i = 0; i < n / 2; i++) x[i + 1] = 0.5 * x[i];
    }
}

// Ranges with a gap, and ranges that meet in one element.
KERNEL(ranges_gap, "double n, double n", double x[n], double y[n]) {
    for (int i = 0; i < n / 2; i++) x[i] += y[i];
    for (int i = n / 2 + 1; i < n; i++) x[i] += y[i];
}

KERNEL(ranges_overlap, "double n, double n", double x[n], double y[n]) {
    for (int i = 0; i <= n / 2 && i < n; i++) x[i] += y[i];
    for (int i = n / 2; i < n; i++) x[i] += y[i];
}

// Counters as values: the same number at the same cell, and another one.
KERNEL(counters_same, "double n*m", double A[n][m]) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m / 2; j++) A[i][j] += (double)(i + j);
        for (int j = m / 2; j < m; j++) A[i][j] += (double)(i + j);
    }
}

KERNEL(counters_other, "double n*m", double A[n][m]) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m / 2; j++) A[i][j] += (double)(i + j);
        for (int j = m / 2; j < m; j++) A[i][j] += (double)(i + j + 1);
    }
}

// A part whose instances another statement comes between.
KERNEL(between, "double n, double n", double x[n], double y[n]) {
    for (int i = 0; i < n / 2; i++) x[i] += y[i];
    for (int i = 0; i < n; i++) y[i] = 2.0 * x[n - 1 - i];
    for (int i = n / 2; i < n; i++) x[i] += y[i];
}
