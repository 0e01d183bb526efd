// Elimination whose factors live in registers: their quotients get memory of their own. And factorisations whose sums start in registers.
// RUN: %execute %s
#include "kernel.h"

KERNEL(gauss, "dominant, double n*n, double n", double A[n][n], double b[n]) {
    for (int p = 0; p < n - 1; p++)
        for (int i = p + 1; i < n; i++) {
            double f = A[i][p] / A[p][p];
            for (int j = p; j < n; j++) A[i][j] -= f * A[p][j];
            b[i] -= f * b[p];
        }
}

KERNEL(gauss_behind, "dominant, double n*n", double A[n][n]) {
    for (int p = 0; p < n; p++)
        for (int i = p + 1; i < n; i++) {
            double f = A[i][p] / A[p][p];
            for (int j = p + 1; j < n; j++) A[i][j] -= f * A[p][j];
        }
}

KERNEL(gauss_sides, "dominant, double n*n, double n*m", double A[n][n], double B[n][m]) {
    for (int p = 0; p < n; p++)
        for (int i = p + 1; i < n; i++) {
            double f = A[i][p] / A[p][p];
            for (int j = p; j < n; j++) A[i][j] -= f * A[p][j];
            for (int j = 0; j < m; j++) B[i][j] -= f * B[p][j];
        }
}

KERNEL(gauss_jordan, "dominant, double n*n", double A[n][n]) {
    for (int p = 0; p < n; p++) {
        for (int i = 0; i < p; i++) {
            double f = A[i][p] / A[p][p];
            for (int j = p; j < n; j++) A[i][j] -= f * A[p][j];
        }
        for (int i = p + 1; i < n; i++) {
            double f = A[i][p] / A[p][p];
            for (int j = p; j < n; j++) A[i][j] -= f * A[p][j];
        }
    }
}

// The root is as costly; the quotient is used by what stands beside the loop, too.
KERNEL(scaled, "double n*m, double n*k, double k*m, double n", double C[n][m], double A[n][k], double B[k][m], double d[n]) {
    for (int i = 0; i < n; i++)
        for (int p = 0; p < k; p++) {
            double f = A[i][p] / sqrt(d[i] * d[i] + 1);
            d[i] += f;
            for (int j = 0; j < m; j++) C[i][j] += f * B[p][j];
        }
}

// Under a condition on sizes, and with an integer quotient.
KERNEL(integers, "int n*m, int n*k, int k*m", int C[n][m], int A[n][k], int B[k][m]) {
    if (m > 3)
        for (int i = 0; i < n; i++)
            for (int p = 0; p < k; p++) {
                int f = A[i][p] / (i + 2);
                for (int j = 0; j < m; j++) C[i][j] += f * B[p][j];
            }
}

KERNEL(cholesky_columns_in_scalars, "double n*n, double n*n", double L[n][n], double A[n][n]) {
    for (int j = 0; j < n; j++) {
        double s = 0;
        for (int p = 0; p < j; p++) s += L[j][p] * L[j][p];
        L[j][j] = sqrt(fabs(A[j][j] + 2 * n - s));
        for (int i = j + 1; i < n; i++) {
            s = 0;
            for (int p = 0; p < j; p++) s += L[i][p] * L[j][p];
            L[i][j] = (A[i][j] - s) / L[j][j];
        }
    }
}

KERNEL(doolittle, "dominant, double n*n, double n*n, double n*n", double A[n][n], double L[n][n], double U[n][n]) {
    for (int i = 0; i < n; i++) {
        for (int q = i; q < n; q++) {
            double sum = 0;
            for (int j = 0; j < i; j++) sum += L[i][j] * U[j][q];
            U[i][q] = A[i][q] - sum;
        }
        for (int q = i; q < n; q++) {
            if (i == q) L[i][i] = 1;
            else {
                double sum = 0;
                for (int j = 0; j < i; j++) sum += L[q][j] * U[j][i];
                L[q][i] = (A[q][i] - sum) / U[i][i];
            }
        }
    }
}
