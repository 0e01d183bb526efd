// Remainders and quotients of counters; loops with steps that begin somewhere; sweeps over every second cell, whose vectors leave those between as they are.
// RUN: %execute %s
#include "kernel.h"

// Gauss-Seidel on the colours of a chessboard.
KERNEL(colours, "double n*m, double n*m", double *A, double *f) {
    for (int colour = 0; colour < 2; colour++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1 + (i + colour) % 2; j < m - 1; j += 2)
                A[i * m + j] = 0.25 * (A[(i - 1) * m + j] + A[(i + 1) * m + j] + A[i * m + j - 1] + A[i * m + j + 1] + f[i * m + j]);
}

KERNEL(colours_by_conditions, "float n*m", float *A) {
    for (int colour = 0; colour < 2; colour++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                if ((i + j) % 2 == colour)
                    A[i * m + j] = 0.25f * (A[(i - 1) * m + j] + A[(i + 1) * m + j] + A[i * m + j - 1] + A[i * m + j + 1]);
}

// The other diagonals, counters that go down, and a remainder of a larger number.
KERNEL(diagonals, "double n*m, int n*m, double n*m", double *A, int *B, double *C) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            if (((j - i) & 1) == 0) A[i * m + j] += 1;
    for (unsigned i = 0; i < (unsigned)n; i++)
        for (int j = m - 1; j >= 0; j--)
            if ((i + j) % 4 == 2) B[i * m + j] = B[i * m + j] * 3 + 1;
    for (int i = -n; i < 0; i++)
        for (int j = 0; j < m; j++)
            if ((i + j) % 2 == -1) C[(i + n) * m + j] *= 0.5;
}

// A bit that changes in each iteration.
KERNEL(turns, "double n*m", double *A) {
    int odd = 0;
    for (int i = 0; i < n; i++) {
        for (int j = odd ? 2 : 1; j < m - 1; j += 2) A[i * m + j] = 0.5 * (A[i * m + j - 1] + A[i * m + j + 1]);
        odd = !odd;
    }
}

// Steps from somewhere.
KERNEL(steps_in_triangles, "double n*n, float n*n, int n*m", double *A, float *B, int *C) {
    for (int i = 0; i < n; i++)
        for (int j = i; j < n; j += 2) A[i * n + j] = A[i * n + j] * 0.5 + 1;
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j += 3) B[j * n + i] += B[i * n + j];
    for (int i = 0; i < n; i++)
        for (int j = k; j < m; j += 4) C[i * m + j] -= i;
}

KERNEL(three_dimensions, "float n*m*k", float *A) {
    for (int colour = 0; colour < 2; colour++)
        for (int a = 1; a < n - 1; a++)
            for (int i = 1; i < m - 1; i++)
                for (int j = 1 + (a + i + colour) % 2; j < k - 1; j += 2) {
                    float *at = A + (a * m + i) * k + j;
                    *at = (at[-1] + at[1] + at[-k] + at[k] + at[-m * k] + at[m * k]) / 6;
                }
}

// Several cells on either side, other arrays with the same step, and every third cell.
KERNEL(rows, "double n, double n, float n, float n", double *A, double *B, float *C, float *D) {
    for (int t = 0; t < 3; t++) {
        for (int i = 3; i < n - 3; i += 2) A[i] = 0.3 * (A[i - 1] + A[i + 1]) - 0.1 * (A[i - 3] + A[i + 3]) + B[i];
        for (int i = 4; i < n - 3; i += 2) A[i] += 0.25 * (A[i - 1] + A[i + 1]);
        for (int i = 1; i < n - 2; i += 3) C[i] = C[i - 1] * D[i] - C[i + 2];
    }
}

// Terms of which several share one factor.
KERNEL(product_of_groups, "float n*m, char n*m, float (m/16+1)*n, float n*n", float *A, signed char *W, float *S, float *C) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int l = 0; l < m; l++) C[i * n + j] += A[i * m + l] * ((float)W[j * m + l] * S[l / 16 * n + j]);
}

KERNEL(half_as_many_rows, "double n*m, double (m+1)*n, double n*n", double *A, double *B, double *C) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int l = 0; l < m; l++) C[i * n + j] += A[i * m + l] * B[l / 2 * n + j];
}

KERNEL(rows_by_groups, "float m, char n*m, float n*(m/8+1), float n, noalias", float *restrict x, signed char *restrict W, float *restrict S, float *restrict y) {
    int groups = m / 8 + 1;
    for (int i = 0; i < n; i++) {
        float sum = 0;
        for (int l = 0; l < m; l++) sum += x[l] * ((float)W[i * m + l] * S[i * groups + l / 8]);
        y[i] = sum;
    }
}

KERNEL(floats_by_groups, "float m, float n*m, float n*(m/32+1), float n", float *x, float *W, float *S, float *y) {
    int groups = m / 32 + 1;
    for (int i = 0; i < n; i++)
        for (int l = 0; l < m; l++) y[i] += x[l] * (W[i * m + l] * S[i * groups + l / 32]);
}

// Lanes of loops outside whose cells are a few apart.
KERNEL(every_fourth, "float 4*n+m, float m, float n", float *x, float *h, float *y) {
    for (int i = 0; i < n; i++) {
        float sum = 0;
        for (int j = 0; j < m; j++) sum += h[j] * x[4 * i + j];
        y[i] = sum;
    }
}

KERNEL(pairs_by_columns, "double 2*n*m, double 2*n", double *A, double *y) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            y[2 * i] += A[2 * (j * n + i)] * 0.5;
            y[2 * i + 1] -= A[2 * (j * n + i) + 1];
        }
}
