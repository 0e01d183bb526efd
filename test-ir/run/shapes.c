// Array shapes: constant sizes, structs, leading dimensions, parts of arrays, packed and linearised storage.
// RUN: %execute %s
#include "kernel.h"

enum { N = 24 };

KERNEL(constant_product, "double 576, double 576, double 576", double C[N][N], double A[N][N], double B[N][N]) {
    (void)n, (void)m, (void)k;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            for (int p = 0; p < N; p++) C[i][j] += A[i][p] * B[p][j];
}

KERNEL(constant_array_variable_trips, "double 10000, double 10000", double A[100][100], double B[100][100]) {
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++) A[i][j] += B[j][i];
}

KERNEL(tiny_constant_product, "double 9*n, double 9, double 9*n", double C[n][3][3], double A[3][3], double B[n][3][3]) {
    for (int b = 0; b < n; b++)
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) {
                C[b][i][j] = 0;
                for (int p = 0; p < 3; p++) C[b][i][j] += A[i][p] * B[b][p][j];
            }
}

static double global_a[40][40], global_b[40][40];

KERNEL(globals, "double n*m", double A[n][m]) {
    int rows = n < 40 ? n : 40, columns = m < 40 ? m : 40;
    for (int i = 0; i < 40; i++)
        for (int j = 0; j < 40; j++) global_a[i][j] = i + 0.5 * j;
    for (int i = 0; i < 40; i++)
        for (int j = 0; j < 40; j++) {
            global_b[i][j] = 0;
            for (int p = 0; p < 40; p++) global_b[i][j] += global_a[i][p] * global_a[p][j];
        }
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) A[i][j] += global_b[i][j];
}

KERNEL(array_on_stack, "double n*m, double n*m", double A[n][m], double B[n][m]) {
    double t[64];
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m && j < 64; j++) t[j] = B[i][j] * 2.0;
        for (int j = 0; j < m && j < 64; j++) A[i][j] = t[j] + t[0];
    }
}

struct point {
    double x, y, z;
};

KERNEL(structs, "double 3*n, double 3*n", struct point *p, struct point *q) {
    for (int i = 0; i < n; i++) {
        p[i].x += q[i].y;
        p[i].y -= q[i].z * 0.5;
        p[i].z = p[i].x * p[i].y;
    }
}

KERNEL(forces, "double 3*n, double 3*n", struct point *f, struct point *p) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double dx = p[i].x - p[j].x, dy = p[i].y - p[j].y, dz = p[i].z - p[j].z;
            double d = 1.0 / (dx * dx + dy * dy + dz * dz + 0.01);
            f[i].x += dx * d;
            f[i].y += dy * d;
            f[i].z += dz * d;
        }
}

struct sizes {
    int rows, columns;
    double *data;
};

static void add_one(struct sizes *s) {
    for (int i = 0; i < s->rows; i++)
        for (int j = 0; j < s->columns; j++) s->data[i * s->columns + j] += 1.0;
}

KERNEL(sizes_in_struct, "double n*m", double *A) {
    struct sizes s = {n, m, A};
    __asm__ volatile("" : : "r"(&s) : "memory");
    add_one(&s);
}

KERNEL(three_dimensions, "double n*m*k, double n*m*k", double A[n][m][k], double B[n][m][k]) {
    for (int p = 0; p < k; p++)
        for (int j = 0; j < m; j++)
            for (int i = 0; i < n; i++) A[i][j][p] += B[i][j][p] * 2.0;
}

KERNEL(three_dimensions_flat, "double n*m*k, double n*m*k", double *A, double *B) {
    for (int p = 0; p < k; p++)
        for (int j = 0; j < m; j++)
            for (int i = 0; i < n; i++) A[(i * m + j) * k + p] += B[i * m * k + j * k + p];
}

KERNEL(four_dimensions, "double 2*n*m*3", double A[2][n][m][3]) {
    for (int c = 0; c < 3; c++)
        for (int j = 0; j < m; j++)
            for (int i = 0; i < n; i++)
                for (int b = 0; b < 2; b++) A[b][i][j][c] = A[b][i][j][c] * 0.5 + b;
}

KERNEL(leading_dimension, "double n*(m+5), double n*(k+3), double k*(m+2)", double *C, double *A, double *B) {
    int ldc = m + 5, lda = k + 3, ldb = m + 2;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int p = 0; p < k; p++) C[i * ldc + j] += A[i * lda + p] * B[p * ldb + j];
}

KERNEL(submatrix, "double (n+3)*(m+3)", double A[n + 3][m + 3]) {
    for (int j = 1; j < m + 1; j++)
        for (int i = 2; i < n + 2; i++) A[i][j] *= 0.5;
}

KERNEL(row_length_too_small, "double (n+m)*k+n", double *A) {
    // Rows of length k may overlap: the subscript j goes up to m whatever k is.
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m && j < n; j++) A[i * k + j] = A[i * k + j] * 0.5 + 1.0;
}

KERNEL(past_the_row, "double n*m+k, double n*m+k", double A[n][m], double B[n][m]) {
    double *a = &A[0][0], *b = &B[0][0];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) a[i * m + j + k] += b[i * m + j];
}

KERNEL(row_pointers, "double n*m, double n*m", double *A, double *B) {
    double *rows[100];
    for (int i = 0; i < n; i++) rows[i] = A + (long)i * m;
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++) rows[i][j] += B[(long)i * m + j];
}

KERNEL(packed_triangle, "double n*(n+1), double n, double n", double *A, double *x, double *y) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) A[i * (i + 1) / 2 + j] += x[i] * y[j];
}

KERNEL(packed_triangle_running, "double n*(n+1), double n, double n", double *A, double *x, double *y) {
    for (int i = 0, at = 0; i < n; i++)
        for (int j = 0; j <= i; j++, at++) A[at] += x[i] * y[j];
}

KERNEL(banded_storage, "double 5*n, double n, double n+4", double A[n][5], double *y, double *x) {
    for (int i = 0; i < n; i++)
        for (int j = i; j < i + 5; j++) y[i] += A[i][j - i] * x[j];
}

KERNEL(diagonals, "double n*m", double A[n][m]) {
    for (int d = 0; d < n + m - 1; d++)
        for (int i = d < m ? 0 : d - m + 1; i < n && i <= d; i++) A[i][d - i] = A[i][d - i] * 0.5 + d;
}

KERNEL(wavefront_by_hand, "double n*m", double A[n][m]) {
    for (int d = 2; d < n + m - 1; d++)
        for (int i = d - m + 1 > 1 ? d - m + 1 : 1; i < n && i < d; i++) A[i][d - i] = A[i - 1][d - i] + 0.5 * A[i][d - i - 1];
}

KERNEL(hankel, "double n, double n+m, double m", double *y, double *h, double *x) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) y[i] += h[i + j] * x[j];
}

KERNEL(toeplitz, "double n, double n+m, double m", double *y, double *t, double *x) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) y[i] += t[i - j + m] * x[j];
}

KERNEL(blocked_layout, "double 16*n*m, double 16*n*m", double A[n][m][4][4], double B[n][m][4][4]) {
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++)
            for (int b = 0; b < 4; b++)
                for (int a = 0; a < 4; a++) A[i][j][a][b] += B[i][j][b][a];
}

KERNEL(two_views, "double n*m", double *x) {
    double(*A)[m] = (double(*)[m])x;
    double(*B)[n] = (double(*)[n])x;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) A[i][j] += B[j][i] * 0.5;
}
