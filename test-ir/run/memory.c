// Copies, clears, transpositions, reversals: memory moved within and between arrays.
// RUN: %execute %s
#include "kernel.h"

KERNEL(copy, "double n*m, double n*m", double A[n][m], double B[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) A[i][j] = B[i][j];
}

KERNEL(copy_by_columns, "double n*m, double n*m", double A[n][m], double B[n][m]) {
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++) A[i][j] = B[i][j];
}

KERNEL(copy_restrict, "noalias, double n*m, double n*m", double A[restrict n][m], double B[restrict n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) A[i][j] = B[i][j];
}

KERNEL(copy_then_update, "noalias, double n*m, double n*m, double m", double A[restrict n][m], double B[restrict n][m],
       double x[restrict m]) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++) A[i][j] = B[i][j];
        for (int j = 0; j < m; j++) A[i][j] += x[j];
    }
}

KERNEL(clear_then_sum, "double m, double n*m", double s[m], double A[n][m]) {
    memset(s, 0, (size_t)m * sizeof *s);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) s[j] += A[i][j];
}

KERNEL(clear_rows, "double n*m, double n*m", double A[n][m], double B[n][m]) {
    for (int i = 0; i < n; i++) {
        memset(A[i], 0, (size_t)m * sizeof(double));
        for (int j = 0; j < m; j++) A[i][j] += B[i][j];
    }
}

KERNEL(clear_product, "double n*m, double n*k, double k*m", double C[n][m], double A[n][k], double B[k][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) C[i][j] = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int p = 0; p < k; p++) C[i][j] += A[i][p] * B[p][j];
}

KERNEL(explicit_memcpy, "noalias, double n*m, double n*m", double A[restrict n][m], double B[restrict n][m]) {
    for (int i = 0; i < n; i++) {
        memcpy(A[i], B[i], (size_t)m * sizeof(double));
        for (int j = 1; j < m; j++) A[i][j] += A[i][j - 1];
    }
}

KERNEL(explicit_memmove, "double n*(m+1)", double A[n][m + 1]) {
    for (int i = 0; i < n; i++) {
        memmove(A[i] + 1, A[i], (size_t)m * sizeof(double));
        A[i][0] = (double)i;
    }
}

KERNEL(set_bytes, "char n*m", unsigned char A[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) A[i][j] = 0x5a;
}

KERNEL(set_pattern, "double n*m", double A[n][m]) {
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++) A[i][j] = 1.5;
}

KERNEL(transpose, "double n*m, double n*m", double A[m][n], double B[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) A[j][i] = B[i][j];
}

KERNEL(transpose_in_place, "double n*n", double A[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) {
            double t = A[i][j];
            A[i][j] = A[j][i];
            A[j][i] = t;
        }
}

KERNEL(transpose_careless, "double n*n", double A[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) A[i][j] = A[j][i];
}

KERNEL(add_transpose, "double n*n", double A[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) A[i][j] += A[j][i];
}

KERNEL(reverse_careless, "double n", double *x) {
    for (int i = 0; i < n; i++) x[i] = x[n - 1 - i];
}

KERNEL(reverse_into, "double n, double n", double *x, double *y) {
    for (int i = 0; i < n; i++) x[i] = y[n - 1 - i];
}

KERNEL(reverse_rows, "double n*m", double A[n][m]) {
    for (int i = 0; i < n / 2; i++)
        for (int j = 0; j < m; j++) {
            double t = A[i][j];
            A[i][j] = A[n - 1 - i][j];
            A[n - 1 - i][j] = t;
        }
}

KERNEL(swap_arrays, "double n*m, double n*m", double A[n][m], double B[n][m]) {
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++) {
            double t = A[i][j];
            A[i][j] = B[i][j];
            B[i][j] = t;
        }
}

KERNEL(shift_left, "double n+1", double *x) {
    for (int i = 0; i < n; i++) x[i] = x[i + 1];
}

KERNEL(shift_right, "double n+1", double *x) {
    for (int i = 0; i < n; i++) x[i + 1] = x[i];
}

KERNEL(shift_right_descending, "double n+1", double *x) {
    for (int i = n - 1; i >= 0; i--) x[i + 1] = x[i];
}

KERNEL(shift_rows, "double (n+1)*m", double A[n + 1][m]) {
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++) A[i][j] = A[i + 1][j];
}

KERNEL(shift_by_parameter, "double n+k", double *x) {
    for (int i = 0; i < n; i++) x[i] = x[i + k];
}

KERNEL(rotate, "double n*m", double A[n][m]) {
    if (m < 1) return;
    for (int i = 0; i < n; i++) {
        double first = A[i][0];
        for (int j = 0; j < m - 1; j++) A[i][j] = A[i][j + 1];
        A[i][m - 1] = first;
    }
}

KERNEL(spread, "double 2*n", double *x) {
    for (int i = 0; i < n; i++) x[2 * i] = x[i];
}

KERNEL(compress, "double 2*n", double *x) {
    for (int i = 0; i < n; i++) x[i] = x[2 * i];
}

KERNEL(interleave, "double 2*n, double n, double n", double *z, double *x, double *y) {
    for (int i = 0; i < n; i++) {
        z[2 * i] = x[i];
        z[2 * i + 1] = y[i];
    }
}

KERNEL(permute_axes, "double n*m*k, double n*m*k", double A[k][n][m], double B[n][m][k]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int p = 0; p < k; p++) A[p][i][j] = B[i][j][p];
}

KERNEL(overwritten, "double n*m, double n*m", double A[n][m], double B[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            A[i][j] = B[i][j];
            A[i][0] = B[i][j] + 1.0;
        }
}

KERNEL(same_cell, "double m, double n*m", double *x, double A[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) x[j] = A[i][j];
}

KERNEL(last_value_wins, "double 1, double n", double *x, double *y) {
    for (int i = 0; i < n; i++) *x = y[i];
}

KERNEL(first_then_rest, "double n*m", double A[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) A[i][j] = A[0][j] + A[i][0];
}
