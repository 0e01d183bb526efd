// Sums along rows whose lanes are rows: what is left of rows and columns runs as the last ones, of which some have run before. Their cells are read again; nothing else may be.
// RUN: %execute %s
#include "kernel.h"

KERNEL(product, "double n*m, double m, double n", double *A, double *x, double *y) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) y[i] += A[i * m + j] * x[j];
}

// Rows are parts of longer ones: what lies between them is not touched.
KERNEL(parts_of_rows, "float n*(m+k), float n", float *A, float *y) {
    for (int i = 0; i < n; i++) {
        float sum = 1;
        for (int j = 0; j < m; j++) sum += A[i * (m + k) + j];
        y[i] = sum;
    }
}

KERNEL(two_sums, "double n*m, double n, double n", double *A, double *s, double *q) {
    for (int i = 0; i < n; i++) {
        double one = 0, two = 0;
        for (int j = 0; j < m; j++) {
            one += A[i * m + j];
            two += A[i * m + j] * A[i * m + j];
        }
        s[i] = one;
        q[i] = two / (one + 2);
    }
}

KERNEL(triangle, "double n*n, double n, double n", double *A, double *x, double *y) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) y[i] -= A[i * n + j] * x[j];
}

KERNEL(upper_triangle, "float n*n, float n, float n", float *A, float *x, float *y) {
    for (int i = 0; i < n; i++)
        for (int j = i; j < n; j++) y[i] += A[i * n + j] * x[j];
}

KERNEL(solve, "double n*n, double n, double n", double *L, double *b, double *x) {
    for (int i = 0; i < n; i++) {
        x[i] = b[i];
        for (int j = 0; j < i; j++) x[i] -= L[i * n + j] * x[j];
        x[i] /= L[i * n + i] + 3;
    }
}

// The first rows and columns are left out: nothing runs before them.
KERNEL(inner_part, "double n*m, double n", double *A, double *y) {
    for (int i = 3; i < n - 1; i++)
        for (int j = 2; j < m - 3; j++) y[i] += A[i * m + j];
}

KERNEL(columns_of_integers, "int n*m, short m*n, int n", int *A, short *B, int *y) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) y[i] += A[i * m + j] * B[j * n + i];
}

// Cells of the row itself.
KERNEL(in_place, "double n*(m+1)", double *A) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) A[i * (m + 1) + m] += A[i * (m + 1) + j] * A[i * (m + 1) + j];
}

KERNEL(batches, "float k*n*m, float m, float k*n", float *A, float *x, float *y) {
    for (int b = 0; b < k; b++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++) y[b * n + i] += A[(b * n + i) * m + j] * x[j];
}
