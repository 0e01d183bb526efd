// Loops that are left in the middle of their body: what comes behind the exit runs once less than the rest.
// RUN: %execute %s
#include "kernel.h"

// LLVM knows that the inner loop has nothing to do in the last iteration, and leaves in front of it.
KERNEL(backwards, "double n, double n*n", double b[n], double L[n][n]) {
    for (int k = n - 1; k >= 0; k--) {
        b[k] = b[k] / (2.0 + L[k][k] * L[k][k]);
        for (int j = 0; j < k; j++) b[j] -= b[k] * L[k][j];
    }
}

KERNEL(backwards_many, "double m*n, double n*n", double X[m][n], double L[n][n]) {
    for (int i = 0; i < m; i++)
        for (int k = n - 1; k >= 0; k--) {
            X[i][k] = X[i][k] / (2.0 + L[k][k] * L[k][k]);
            for (int j = 0; j < k; j++) X[i][j] -= X[i][k] * L[k][j];
        }
}

KERNEL(backwards_many_transposed, "double m*n, double n*n", double X[m][n], double L[n][n]) {
    for (int i = 0; i < m; i++)
        for (int k = n - 1; k >= 0; k--) {
            X[i][k] = X[i][k] / (2.0 + L[k][k] * L[k][k]);
            for (int j = 0; j < k; j++) X[i][j] -= X[i][k] * L[j][k];
        }
}

KERNEL(columns_backwards, "float n*m, float n*n", float X[n][m], float U[n][n]) {
    for (int j = 0; j < m; j++)
        for (int k = n - 1; k >= 0; k--) {
            X[k][j] = X[k][j] / (2.0f + U[k][k] * U[k][k]);
            for (int i = 0; i < k; i++) X[i][j] -= U[i][k] * X[k][j];
        }
}

// Much in front of the exit, so that loops are not turned round.
KERNEL(stores_on_both_sides, "double n, double n, double n, double n", double A[n], double B[n], double C[n], double D[n]) {
    if (n < 1) return;
    for (int i = 0;; i++) {
        A[i] = B[i] * 2.0 + C[i] * 3.0 + A[i] * 0.25 + B[i] * B[i] * 0.5 + C[i] * C[i] * 0.125 - A[i] * A[i] + B[i] * C[i];
        B[i] = A[i] * 0.5 + B[i] * C[i] * 0.25 + C[i] * C[i] * B[i] - A[i] * C[i] * 0.75 + B[i] * B[i] * 0.0625 + 3.0;
        if (i == n - 1) break;
        D[i] = A[i] + B[i];
        C[i + 1] += D[i] * 0.5;
    }
}

// A sum of what lies in front, one of what lies behind, both used afterwards.
KERNEL(sums_on_both_sides, "double n*m, double n*m, double n", double A[n][m], double B[n][m], double S[n]) {
    if (m < 1) return;
    for (int i = 0; i < n; i++) {
        double s = 0.0, t = 1.0;
        for (int j = 0;; j++) {
            B[i][j] = A[i][j] * 2.0 + B[i][j] * 3.0 + A[i][j] * A[i][j] * 0.25 + B[i][j] * B[i][j] * 0.5 - A[i][j] * B[i][j];
            s += A[i][j] * A[i][j] + B[i][j] * A[i][j] * 0.5 + B[i][j] * B[i][j] * A[i][j] * 0.0625 + A[i][j];
            if (j == m - 1) break;
            t += B[i][j] * 0.5;
            A[i][j] += t;
        }
        S[i] = s + 2.0 * t;
    }
}

// A loop behind the exit, a branch behind the exit, and a loop in front.
KERNEL(loops_on_both_sides, "double n*m, double n*m, double m", double A[n][m], double B[n][m], double x[m]) {
    if (n < 1) return;
    for (int i = 0;; i++) {
        for (int j = 0; j < m; j++) A[i][j] = A[i][j] * 0.5 + x[j];
        if (i == n - 1) break;
        for (int j = 0; j < m; j++) x[j] = B[i][j] * 0.25 + x[j] * 0.5;
        if (i > 2)
            for (int j = 1; j < m; j++) B[i][j] += A[i][j - 1];
    }
}

// What is computed behind the exit is wanted in front of it.
KERNEL(carried, "double n*m, double n*m", double A[n][m], double B[n][m]) {
    if (m < 1) return;
    for (int i = 0; i < n; i++) {
        double last = 0.5;
        for (int j = 0;; j++) {
            A[i][j] = A[i][j] * last + B[i][j] * 3.0 + B[i][j] * B[i][j] * 0.25 + last * B[i][j] * B[i][j] * 0.5 - A[i][j] * B[i][j];
            B[i][j] = A[i][j] * 0.5 - B[i][j] * 0.25 + A[i][j] * A[i][j] * 0.0625 + last * last * 0.125 + A[i][j] * last * 0.5;
            if (j == m - 1) break;
            last = A[i][j] * 0.125 + B[i][j] * 0.25;
        }
    }
}

// The condition looks at data: not for us.
KERNEL(until_found, "double n, double n", double A[n], double B[n]) {
    for (int i = 0; i < n; i++) {
        A[i] = A[i] * 0.5 + B[i] * 2.0 + A[i] * B[i] * 0.25 + A[i] * A[i] * 0.125 + B[i] * B[i] * 0.0625 - A[i] * 3.0 + B[i] * 5.0;
        if (A[i] > 1.5) break;
        B[i] = A[i] + 1.0;
    }
}

// The same under conditions on data: zeros have nothing to do.
KERNEL(backwards_without_zeros, "double n, double n*n", double b[n], double L[n][n]) {
    for (int i = 0; i < n; i += 3) b[i] = 0;
    for (int k = n - 1; k >= 0; k--)
        if (b[k] != 0) {
            b[k] /= 2.0 + L[k][k] * L[k][k];
            for (int j = 0; j < k; j++) b[j] -= b[k] * L[k][j];
        }
}

KERNEL(backwards_many_without_zeros, "float m*n, float n*n", float *X, float *L) {
    for (int i = 0; i < m * n; i += 3) X[i] = 0;
    for (int i = 0; i < m; i++)
        for (int k = n - 1; k >= 0; k--)
            if (X[k + i * n] != 0) {
                X[k + i * n] /= 2.0f + L[k + k * n];
                for (int j = 0; j < k; j++) X[j + i * n] -= X[k + i * n] * L[j + k * n];
            }
}

KERNEL(counted_backwards, "double n, double n*n, int 1", double *b, double *L, int *count) {
    int c = 0;
    for (int k = n - 1; k >= 0; k--)
        if (b[k] > 0.5) {
            b[k] *= 0.25;
            c += k;
            for (int j = 0; j < k; j++) b[j] = b[j] * 0.5 + b[k] * L[k * n + j];
        }
    count[0] = c;
}
