// Sums along rows and columns of a matrix: rows are loaded as they lie and transposed in registers, sums over one matrix share its lines.
// RUN: %execute %s
#include "kernel.h"

KERNEL(rows, "double n, double n*m, double m", double y[n], double A[n][m], double x[m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) y[i] += A[i][j] * x[j];
}

KERNEL(rows_restrict, "noalias, double n, double n*m, double m", double y[restrict n], double A[restrict n][m],
       double x[restrict m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) y[i] -= A[i][j] * x[j];
}

KERNEL(rows_of_floats, "float n, float n*m, float m", float y[n], float A[n][m], float x[m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) y[i] += A[i][j] * x[j];
}

KERNEL(rows_of_integers, "short n, short n*m", short y[n], short A[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) y[i] ^= (short)(3 * A[i][j] + 5 * y[i]);
}

// The rows do not begin where the steps do, and end elsewhere.
KERNEL(parts_of_rows, "double n, double n*(m+7), double m", double y[n], double A[n][m + 7], double x[m]) {
    for (int i = 0; i < n; i++)
        for (int j = 3; j < m; j++) y[i] += A[i][j + 7] * x[j] * A[i][j];
}

KERNEL(lower_triangle, "double n, double n*n, double n", double y[n], double A[n][n], double x[n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) y[i] += A[i][j] * x[j];
}

KERNEL(upper_triangle, "double n, double n*n, double n", double y[n], double A[n][n], double x[n]) {
    for (int i = 0; i < n; i++)
        for (int j = i; j < n; j++) y[i] += A[i][j] * x[j];
}

// No block: cells are apart in both directions, or the array is written.
KERNEL(every_other_cell, "double n, double n*2*m, double m", double y[n], double A[n][2 * m], double x[m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) y[i] += A[i][2 * j] * x[j];
}

KERNEL(into_its_own_array, "double n*(m+1), double m", double A[n][m + 1], double x[m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) A[i][m] += A[i][j] * x[j];
}

KERNEL(columns, "double m, double n*m, double n", double y[m], double A[n][m], double x[n]) {
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++) y[j] += A[i][j] * x[i];
}

KERNEL(columns_backwards, "double m, double n*m, double n", double y[m], double A[n][m], double x[n]) {
    for (int i = n - 1; i >= 0; i--)
        for (int j = 0; j < m; j++) y[j] += A[i][j] * x[i];
}

// One after the other, by rows: the second needs the whole first sum of its row.
KERNEL(both_in_turn, "double m, double n*m, double m, double n", double y[m], double A[n][m], double x[m],
       double t[n]) {
    for (int j = 0; j < m; j++) y[j] = 0;
    for (int i = 0; i < n; i++) {
        t[i] = 0;
        for (int j = 0; j < m; j++) t[i] += A[i][j] * x[j];
        for (int j = 0; j < m; j++) y[j] += A[i][j] * t[i];
    }
}

KERNEL(both_at_once, "double m, double n, double n*m, double m, double n", double s[m], double q[n], double A[n][m],
       double p[m], double r[n]) {
    for (int j = 0; j < m; j++) s[j] = 0;
    for (int i = 0; i < n; i++) {
        q[i] = 0;
        for (int j = 0; j < m; j++) {
            s[j] += r[i] * A[i][j];
            q[i] += A[i][j] * p[j];
        }
    }
}

KERNEL(both_apart, "double n, double n, double n*n, double n, double n", double x[n], double y[n], double A[n][n],
       double p[n], double q[n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) x[i] += A[i][j] * p[j];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) y[i] += A[j][i] * q[j];
}

// The first sum of a row needs what the second has left of the rows before: strips are illegal.
KERNEL(in_turn_with_feedback, "double n, double n*n, double n", double y[n], double A[n][n], double t[n]) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) t[i] += A[i][j] * y[j];
        for (int j = 0; j < n; j++) y[j] += A[i][j] * t[i];
    }
}

KERNEL(two_matrices, "double n, double n, double n*m, double n*m, double m", double y[n], double t[n], double A[n][m],
       double B[n][m], double x[m]) {
    for (int i = 0; i < n; i++) {
        t[i] = 0;
        y[i] = 0;
        for (int j = 0; j < m; j++) {
            t[i] += A[i][j] * x[j];
            y[i] += B[i][j] * x[j];
        }
        y[i] = 1.5 * t[i] + 1.2 * y[i];
    }
}
