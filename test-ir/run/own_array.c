// Kernels whose operands are other cells of the array that they store to: blocks of it are transposed in registers, while what is stored is in registers, too.
// RUN: %execute %s
#include "kernel.h"

KERNEL(halves, "double n*(n+n)", double A[n][2 * n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++) A[i][n + j] += A[i][k] * A[j][k];
}

KERNEL(halves_of_floats, "float n*(m+n)", float A[n][m + n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < m; k++) A[i][m + j] -= A[i][k] * A[j][k];
}

KERNEL(lower_half, "double n*(n+n)", double A[n][2 * n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++)
            for (int k = 0; k < n; k++) A[i][n + j] += A[i][k] * A[j][k];
}

KERNEL(upper_half, "double n*(n+n)", double A[n][2 * n]) {
    for (int i = 0; i < n; i++)
        for (int j = i; j < n; j++)
            for (int k = 0; k < n; k++) A[i][n + j] += A[i][k] * A[j][k];
}

// Columns that become longer from row to row, two at a time: masks of one row run in the next one, too.
KERNEL(steep_half, "double n*(n+n+n+n)", double A[n][4 * n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= 2 * i && j < n; j++)
            for (int k = 0; k < n; k++) A[i][n + j] += A[i][k] * A[j][k];
}

KERNEL(cholesky_of_floats, "float n*n", float A[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            for (int k = 0; k < j; k++) A[i][j] -= A[i][k] * A[j][k];
            if (j < i) A[i][j] *= 0.5f;
        }
}

KERNEL(ldlt_with_rows, "double n*n, double n", double A[n][n], double d[n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++)
            for (int k = 0; k < j; k++) A[i][j] -= A[i][k] * d[k] * A[j][k];
}

// What is read is written in other rounds of the depth: no block may be held.
KERNEL(moving, "double n*(n+n)", double A[n][2 * n]) {
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) A[i][j + 1] += A[i][k] * A[j][k];
}

KERNEL(squared, "double n*n", double A[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++) A[i][j] += A[i][k] * A[j][k];
}

// Only operands of earlier columns: a solve with the rows of the same matrix.
KERNEL(solve_in_place, "double n*(n+n)", double A[n][2 * n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < j; k++) A[i][n + j] -= A[i][n + k] * A[j][k];
}

KERNEL(reversed, "double n*(n+n)", double A[n][2 * n]) {
    for (int i = n - 1; i >= 0; i--)
        for (int j = i; j >= 0; j--)
            for (int k = j + 1; k < n; k++) A[i][j] -= A[i][n + k] * A[j][n + k];
}
