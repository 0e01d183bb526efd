// Vectors of our own, with masks and copies: every way for cells to lie, and the kernels of other files that have most to do with vectors.
// RUN: %execute --lanes=4,8 %s
// RUN: %execute --lanes=8 %S/types.c
// RUN: %execute --lanes=16 %S/triangular.c
// RUN: %execute --lanes=3 %S/stencils.c
#include "kernel.h"

KERNEL(saxpy, "double n, double n", double y[n], double x[n]) {
    for (int i = 0; i < n; i++) y[i] += 0.3 * x[i];
}

KERNEL(backwards, "float n, float n+1", float y[n], float x[n + 1]) {
    for (int i = 0; i < n; i++) y[i] = x[n - i] * 0.5f;
}

KERNEL(both_backwards, "int n, int n", int y[n], int x[n]) {
    for (int i = n - 1; i >= 0; i--) y[i] = x[i] ^ 5;
}

KERNEL(strided, "double 3*n, double 2*n", double *y, double *x) {
    for (int i = 0; i < n; i++) y[3 * i] = x[2 * i] + y[3 * i];
}

KERNEL(symbolic_stride, "double n*m, double n", double A[n][m], double x[n]) {
    for (int i = 0; i < n; i++)
        if (m > 0) A[i][0] += x[i];
}

KERNEL(transposed, "double n*m, double m*n", double A[n][m], double B[m][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) A[i][j] = B[j][i];
}

KERNEL(outer_product, "double 4*m, double 4*k, double k*m", double *C, double *A, double B[k][m]) {
    for (int j = 0; j < m; j++)
        for (int p = 0; p < k; p++) {
            C[0 * m + j] += A[0 * k + p] * B[p][j];
            C[1 * m + j] += A[1 * k + p] * B[p][j];
            C[2 * m + j] += A[2 * k + p] * B[p][j];
            C[3 * m + j] += A[3 * k + p] * B[p][j];
        }
}

KERNEL(choices, "double n, double n", double y[n], double x[n]) {
    for (int i = 0; i < n; i++) {
        double v = x[i] < y[i] ? x[i] * 2 : y[i] - 1;
        y[i] = fabs(v) > 1.0 ? sqrt(fabs(v)) : -v;
    }
}

KERNEL(numbers, "long n, int n", long y[n], int x[n]) {
    for (int i = 0; i < n; i++) y[i] = (long)x[i] + 3 * (long)i * i + n;
}

KERNEL(quotients, "int n, int n", int y[n], int x[n]) {
    for (int i = 0; i < n; i++) y[i] = 1000 / (x[i] | 1) + x[i] % 7;
}

KERNEL(mixed, "float n, double n, short n", float y[n], double x[n], short z[n]) {
    for (int i = 0; i < n; i++) y[i] = (float)(x[i] * z[i]) + y[i];
}

KERNEL(neighbours, "double n, double n+1", double y[n], double x[n + 1]) {
    for (int i = 0; i < n; i++) y[i] = x[i] * x[i + 1] + x[i];
}

KERNEL(two_statements, "double n, double n, double n", double a[n], double b[n], double c[n]) {
    for (int i = 0; i < n; i++) {
        a[i] = b[i] + c[i];
        b[i] = a[i] * c[i];
    }
}

KERNEL(even_and_odd, "double 2*n+1", double *a) {
    for (int i = 0; i < n; i++) {
        a[2 * i] = 0.5 * a[2 * i];
        a[2 * i + 1] = a[2 * i] + 1;
    }
}

KERNEL(far_from_a_trip, "double n+4, double n+4", double *a, double *b) {
    for (int i = 4; i < n - 4; i++) a[i] = b[i] + 1;
}
