// Matrix and vector products, in every loop order and layout.
// RUN: %execute %s
#include "kernel.h"

#define MATMUL(ORDER, X, XN, Y, YN, Z, ZN)                                                                              \
    KERNEL(matmul_##ORDER, "double n*m, double n*k, double k*m", double C[n][m], double A[n][k], double B[k][m]) {     \
        for (int X = 0; X < XN; X++)                                                                                   \
            for (int Y = 0; Y < YN; Y++)                                                                               \
                for (int Z = 0; Z < ZN; Z++) C[i][j] += A[i][p] * B[p][j];                                             \
    }
MATMUL(ijp, i, n, j, m, p, k)
MATMUL(ipj, i, n, p, k, j, m)
MATMUL(jip, j, m, i, n, p, k)
MATMUL(jpi, j, m, p, k, i, n)
MATMUL(pij, p, k, i, n, j, m)
MATMUL(pji, p, k, j, m, i, n)

KERNEL(matmul_restrict, "noalias, double n*m, double n*k, double k*m", double C[restrict n][m], double A[restrict n][k],
       double B[restrict k][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int p = 0; p < k; p++) C[i][j] += A[i][p] * B[p][j];
}

KERNEL(matmul_restrict_strided, "noalias, double n*m, double n*k, double k*m", double C[restrict n][m],
       double A[restrict n][k], double B[restrict k][m]) {
    for (int j = 0; j < m; j++)
        for (int p = 0; p < k; p++)
            for (int i = 0; i < n; i++) C[i][j] += A[i][p] * B[p][j];
}

KERNEL(matmul_cleared, "double n*m, double n*k, double k*m", double C[n][m], double A[n][k], double B[k][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            C[i][j] = 0;
            for (int p = 0; p < k; p++) C[i][j] += A[i][p] * B[p][j];
        }
}

KERNEL(matmul_local_sum, "double n*m, double n*k, double k*m", double C[n][m], double A[n][k], double B[k][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            double sum = 0;
            for (int p = 0; p < k; p++) sum += A[i][p] * B[p][j];
            C[i][j] = sum;
        }
}

KERNEL(matmul_alpha_beta, "double n*m, double n*k, double k*m", double C[n][m], double A[n][k], double B[k][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            double sum = 0;
            for (int p = 0; p < k; p++) sum += A[i][p] * B[p][j];
            C[i][j] = 1.5 * sum + 1.25 * C[i][j];
        }
}

KERNEL(matmul_scaled_rows, "double n*m, double n*k, double k*m", double C[n][m], double A[n][k], double B[k][m]) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++) C[i][j] *= 1.2;
        for (int p = 0; p < k; p++)
            for (int j = 0; j < m; j++) C[i][j] += 1.5 * A[i][p] * B[p][j];
    }
}

KERNEL(matmul_flat, "negative, double n*m, double n*k, double k*m", double *C, const double *A, const double *B) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            double sum = 0;
            for (int p = 0; p < k; p++) sum += A[i * k + p] * B[p * m + j];
            C[i * m + j] = sum;
        }
}

KERNEL(matmul_flat_size_t, "double n*m, double n*k, double k*m", double *C, const double *A, const double *B) {
    size_t rows = (size_t)n, columns = (size_t)m, depth = (size_t)k;
    for (size_t i = 0; i < rows; i++)
        for (size_t p = 0; p < depth; p++)
            for (size_t j = 0; j < columns; j++) C[i * columns + j] += A[i * depth + p] * B[p * columns + j];
}

KERNEL(matmul_flat_unsigned, "double n*m, double n*k, double k*m", double *C, const double *A, const double *B) {
    unsigned rows = (unsigned)n, columns = (unsigned)m, depth = (unsigned)k;
    for (unsigned i = 0; i < rows; i++)
        for (unsigned j = 0; j < columns; j++)
            for (unsigned p = 0; p < depth; p++) C[i * columns + j] += A[i * depth + p] * B[p * columns + j];
}

KERNEL(matmul_column_major, "double n*m, double n*k, double k*m", double *C, const double *A, const double *B) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int p = 0; p < k; p++) C[i + j * n] += A[i + p * n] * B[p + j * k];
}

KERNEL(matmul_pointers, "double n*m, double n*k, double k*m", double *C, const double *A, const double *B) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            const double *a = A + (long)i * k, *b = B + j;
            for (int p = 0; p < k; p++, b += m) *C += *a++ * *b;
            C++;
        }
}

KERNEL(matmul_at_b, "double n*m, double k*n, double k*m", double C[n][m], double A[k][n], double B[k][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int p = 0; p < k; p++) C[i][j] += A[p][i] * B[p][j];
}

KERNEL(matmul_a_bt, "double n*m, double n*k, double m*k", double C[n][m], double A[n][k], double B[m][k]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int p = 0; p < k; p++) C[i][j] += A[i][p] * B[j][p];
}

KERNEL(matmul_at_bt, "double n*m, double k*n, double m*k", double C[n][m], double A[k][n], double B[m][k]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int p = 0; p < k; p++) C[i][j] += A[p][i] * B[j][p];
}

KERNEL(matmul_square, "double n*n, double n*n", double C[n][n], double A[n][n]) {
    (void)m, (void)k;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int p = 0; p < n; p++) C[i][j] += A[i][p] * A[p][j];
}

KERNEL(matmul_in_place, "double n*n", double A[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int p = 0; p < n; p++) A[i][j] += 0.001 * A[i][p] * A[p][j];
}

KERNEL(matmul_descending, "double n*m, double n*k, double k*m", double C[n][m], double A[n][k], double B[k][m]) {
    for (int i = n - 1; i >= 0; i--)
        for (int j = 0; j < m; j++)
            for (int p = k - 1; p >= 0; p--) C[i][j] += A[i][p] * B[p][j];
}

KERNEL(matmul_from_one, "double n*m, double n*k, double k*m", double C[n][m], double A[n][k], double B[k][m]) {
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++)
            for (int p = 1; p <= k; p++) C[i - 1][j - 1] += A[i - 1][p - 1] * B[p - 1][j - 1];
}

KERNEL(matmul_blocked_by_hand, "double n*m, double n*k, double k*m", double C[n][m], double A[n][k], double B[k][m]) {
    for (int ii = 0; ii < n; ii += 8)
        for (int pp = 0; pp < k; pp += 8)
            for (int i = ii; i < (ii + 8 < n ? ii + 8 : n); i++)
                for (int p = pp; p < (pp + 8 < k ? pp + 8 : k); p++)
                    for (int j = 0; j < m; j++) C[i][j] += A[i][p] * B[p][j];
}

KERNEL(matmul_unrolled_by_hand, "double n*m, double n*k, double k*m", double C[n][m], double A[n][k], double B[k][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            int p = 0;
            for (; p + 3 < k; p += 4) {
                C[i][j] += A[i][p] * B[p][j];
                C[i][j] += A[i][p + 1] * B[p + 1][j];
                C[i][j] += A[i][p + 2] * B[p + 2][j];
                C[i][j] += A[i][p + 3] * B[p + 3][j];
            }
            for (; p < k; p++) C[i][j] += A[i][p] * B[p][j];
        }
}

KERNEL(complex_matmul, "double 2*n*m, double 2*n*k, double 2*k*m", double C[n][m][2], double A[n][k][2], double B[k][m][2]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int p = 0; p < k; p++) {
                C[i][j][0] += A[i][p][0] * B[p][j][0] - A[i][p][1] * B[p][j][1];
                C[i][j][1] += A[i][p][0] * B[p][j][1] + A[i][p][1] * B[p][j][0];
            }
}

KERNEL(gemv, "double n, double n*m, double m", double y[n], double A[n][m], double x[m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) y[i] += A[i][j] * x[j];
}

KERNEL(gemv_columns, "double n, double n*m, double m", double y[n], double A[n][m], double x[m]) {
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++) y[i] += A[i][j] * x[j];
}

KERNEL(gemv_transposed, "double m, double n*m, double n", double y[m], double A[n][m], double x[n]) {
    for (int j = 0; j < m; j++) {
        y[j] = 0;
        for (int i = 0; i < n; i++) y[j] += A[i][j] * x[i];
    }
}

KERNEL(outer_product, "double n*m, double n, double m", double A[n][m], double x[n], double y[m]) {
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++) A[i][j] += x[i] * y[j];
}

KERNEL(rank_two_update, "double n*n, double n, double n", double A[n][n], double x[n], double y[n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) A[i][j] += x[i] * y[j] + y[i] * x[j];
}

KERNEL(batched_product, "double k*n*m, double k*n*n, double k*n*m", double C[k][n][m], double A[k][n][n], double B[k][n][m]) {
    for (int b = 0; b < k; b++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                for (int p = 0; p < n; p++) C[b][i][j] += A[b][i][p] * B[b][p][j];
}

KERNEL(tensor_product, "double n*m, double n*k*m, double k", double C[n][m], double A[n][k][m], double x[k]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int p = 0; p < k; p++) C[i][j] += A[i][p][j] * x[p];
}

KERNEL(elementwise_product, "double n*m, double n*m, double n*m", double C[n][m], double A[n][m], double B[n][m]) {
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++) C[i][j] = A[i][j] * B[i][j];
}
