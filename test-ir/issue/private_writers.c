// A buffer of which statements write other cells in other iterations: what one left in its last iteration was copied back over what another one left later.
// RUN: %execute %s
#include "../run/Inputs/kernel.h"

KERNEL(ends_before, "double k+1, double n*(k+1), double n*(k+1)", double *s, double *A, double *B) {
    for (int q = 0; q < n; q++) {
        s[0] = A[q];
        for (int p = 1; p < k; p++) s[p] = s[p - 1] * 0.5 + A[p * n + q];
        for (int p = k - 1; p >= 0; p--) A[p * n + q] -= s[p];
        if (q < n - 2)
            for (int p = 0; p < k + 1; p++) s[p] = B[p * n + q];
    }
}

// The same of products, and of a loop around.
KERNEL(ends_before_products, "double k+1, double m*n*(k+1), double k*k, double n*(k+1)", double s[k + 1], double A[m][n][k + 1], double C[k][k], double B[n][k + 1]) {
    for (int r = 0; r < m; r++)
        for (int q = 0; q < n; q++) {
            for (int p = 0; p < k; p++) {
                s[p] = 0;
                for (int t = 0; t < k; t++) s[p] += A[r][q][t] * C[t][p];
            }
            for (int p = 0; p < k; p++) A[r][q][p] = s[p];
            if (r < m - 1)
                for (int p = 0; p <= k; p++) s[p] = B[q][p];
        }
}
