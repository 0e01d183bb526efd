// Values that are used after their cells have been overwritten are kept in memory of their own.
// RUN: %execute %s
#include "kernel.h"

// B = A B with a lower triangle, in place, as the reference BLAS has it (without the question whether B[p][j] is 0).
KERNEL(trmm, "double n*n, double n*m", double A[n][n], double B[n][m]) {
    for (int j = 0; j < m; j++)
        for (int p = n - 1; p >= 0; p--) {
            double t = 0.5 * B[p][j];
            B[p][j] = t * A[p][p];
            for (int i = p + 1; i < n; i++) B[i][j] += t * A[i][p];
        }
}

KERNEL(transpose, "double n*n", double A[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) {
            double t = A[i][j];
            A[i][j] = A[j][i];
            A[j][i] = t;
        }
}

// Rotations of neighbouring rows, on all columns.
KERNEL(rotations, "double n*m, double n, double n", double A[n][m], double c[n], double s[n]) {
    for (int j = 0; j < m; j++)
        for (int i = 0; i + 1 < n; i++) {
            double t = A[i + 1][j];
            A[i + 1][j] = c[i] * t - s[i] * A[i][j];
            A[i][j] = s[i] * t + c[i] * A[i][j];
        }
}

// Under a condition on data.
KERNEL(sometimes, "double n*m, double n*m", double A[n][m], double B[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            if (A[i][j] > B[i][j]) {
                double t = A[i][j];
                A[i][j] = B[i][j] * 0.5;
                B[i][j] = t;
            }
}

// Too deep for a copy of its own.
KERNEL(deep, "double n*m, double n*m", double A[n][m], double B[n][m]) {
    for (int l = 0; l < k; l++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++) {
                double t = A[i][j];
                A[i][j] = B[i][j] + 1;
                B[i][j] = t * 0.5;
            }
}

// Used in a loop behind it.
KERNEL(in_a_loop, "double n, double n*m", double x[n], double A[n][m]) {
    for (int i = 0; i < n; i++) {
        double old = x[i];
        x[i] = 0;
        for (int j = 0; j < m; j++) {
            x[i] += A[i][j] * 0.5;
            A[i][j] += old;
        }
    }
}
