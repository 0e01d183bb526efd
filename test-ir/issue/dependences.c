// What looks like a reduction, an independent loop or a permutable nest, and is none.
// RUN: %execute %s
#include "kernel.h"

KERNEL(reads_the_neighbour, "double 4, double n*m", double *s, double A[n][m]) {
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++) s[0] = s[1] + A[i][j];
}

KERNEL(two_cells_in_turn, "double 4, double n*m", double *s, double A[n][m]) {
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++) {
            s[0] = s[1] + A[i][j];
            s[1] = s[0] * 0.5;
        }
}

KERNEL(cells_chosen_by_arguments, "double n+m+k+1, double n*m", double *s, double A[n][m]) {
    if (k < 0) return;
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++) s[k] += s[n] + A[i][j];
}

KERNEL(cells_chosen_by_integers, "int n+m+k+1, int n*m", int *s, int A[n][m]) {
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++) s[k] = (int)((unsigned)s[k] + (unsigned)s[m] + (unsigned)A[i][j]);
}

KERNEL(row_read_and_written, "double n*m", double A[n][m]) {
    if (k >= n) return;
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++) A[i][j] += A[k][j];
}

KERNEL(column_read_and_written, "double n*m", double A[n][m]) {
    if (k >= m) return;
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++) A[i][j] = A[i][k] * 0.5 + A[i][j];
}

KERNEL(pivot_row_and_column, "double n*n", double A[n][n]) {
    if (k >= n) return;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) A[i][j] = A[i][j] - A[i][k] * A[k][j] * 0.25;
}

KERNEL(anti_diagonal, "double n*m", double A[n][m]) {
    for (int i = 1; i < n; i++)
        for (int j = 0; j < m - 1; j++) A[i][j] = A[i - 1][j + 1];
}

KERNEL(anti_diagonal_added, "double n*m", double A[n][m]) {
    for (int i = 1; i < n; i++)
        for (int j = 0; j < m - 1; j++) A[i][j] += A[i - 1][j + 1] * 0.5;
}

KERNEL(anti_diagonal_by_columns, "double n*m", double A[n][m]) {
    for (int j = 0; j < m - 1; j++)
        for (int i = 1; i < n; i++) A[i][j] += A[i - 1][j + 1] * 0.5;
}

KERNEL(knight, "double n*m", double A[n][m]) {
    for (int i = 2; i < n; i++)
        for (int j = 0; j < m - 1; j++) A[i][j] += A[i - 2][j + 1] * 0.5 - A[i - 1][j];
}

KERNEL(three_deep_anti_diagonal, "double n*m*k", double A[n][m][k]) {
    for (int p = 0; p < k - 1; p++)
        for (int i = 1; i < n; i++)
            for (int j = 1; j < m; j++) A[i][j][p] += A[i - 1][j - 1][p + 1] * 0.5;
}

KERNEL(transposed_in_place_unequal, "double n*m", double *A) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) A[i * m + j] += A[j * n + i];
}

KERNEL(transposed_in_place_swap, "double n*n", double A[n][n]) {
    for (int j = 0; j < n; j++)
        for (int i = 0; i <= j; i++) {
            double t = A[i][j];
            A[i][j] = A[j][i];
            A[j][i] = t;
        }
}

KERNEL(transposed_both_halves, "double n*n", double A[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double t = A[i][j];
            A[i][j] = A[j][i];
            A[j][i] = t + 1.0;
        }
}

KERNEL(cell_between_loops, "double 1, double n*m, double n*m", double *c, double A[n][m], double B[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            *c = A[i][j];
            B[i][j] = *c * 2.0;
        }
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++) A[i][j] += *c;
}

KERNEL(cell_set_late, "double 4, double n, double n", double *c, double *x, double *y) {
    for (int i = 0; i < n; i++) {
        x[i] = y[i] + 1.0;
        c[0] = x[i];
    }
    for (int i = 0; i < n; i++) y[i] = c[0];
}

KERNEL(cell_of_the_last_row, "double n*m, double m", double A[n][m], double *x) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) A[i][j] = A[i][j] * 0.5 + x[j];
    if (n > 0)
        for (int j = 0; j < m; j++)
            for (int i = 0; i < n; i++) A[i][j] += A[n - 1][j];
}

KERNEL(at_most, "double (n+1)*(m+1)", double A[n + 1][m + 1]) {
    for (int j = 0; j <= m; j++)
        for (int i = 0; i <= n; i++)
            if (i >= 1 && j < m) A[i][j] = A[i - 1][j + 1] + 1.0;
}

KERNEL(next_written_before_read, "double n+1, double n", double *x, double *y) {
    for (int i = 0; i < n; i++) x[i] = y[i] + 1.0;
    for (int i = 0; i < n; i++) y[i] = x[i + 1] * 0.5;
}

KERNEL(fusion_with_backward_distance, "double n+2, double n+2", double *x, double *y) {
    for (int i = 0; i < n; i++) x[i] = y[i] + 1.0;
    for (int i = 0; i < n; i++) y[i + 2] = x[i] * 0.5;
    for (int i = 2; i < n; i++) x[i - 2] += y[i];
}

KERNEL(written_twice, "double n+m", double *x) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) x[i + j] = x[i + j] * 0.5 + i - j;
}

KERNEL(last_writer, "int n+m", int *x) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) x[i + j] = 3 * i - j;
}

KERNEL(parity_apart, "double 2*n+2", double *x) {
    for (int i = 0; i < n; i++) x[2 * i] = x[2 * i + 1] + 1.0;
    for (int i = 0; i < n; i++) x[2 * i + 1] = x[i] * 0.5;
}

KERNEL(meets_in_the_middle, "double 2*n", double *x) {
    for (int i = 0; i < 2 * n; i++) x[i] = x[2 * n - 1 - i] * 0.5 + 1.0;
}

KERNEL(symbolic_distance, "double n*m+k", double *x) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) x[i * m + j + k] += x[i * m + j] * 0.5;
}

KERNEL(symbolic_stride, "double n*(k+1)+m", double *x) {
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++) x[i * k + j] += 1.0 + x[i] * 0.25;
}

KERNEL(stride_may_be_zero, "int n*k+1", int *x) {
    for (int i = 0; i < n; i++) x[i * k] = (int)((unsigned)x[i * k] * 3u + 1u);
}
