// Triangular systems with many right-hand sides: in the corners of their tiles rows or columns are lanes, all else is unrolled, and what is stored is in registers.
// RUN: %execute %s
// RUN: %loopwright-clang -O3 -march=x86-64-v4 -w -c %s -o %t.o -Rpass=loopwright -I%S/Inputs 2>&1 | %FileCheck %s
#include "kernel.h"

// CHECK: solves.c:[[#@LINE+2]]:{{.*}}register tile
KERNEL(rows_float, "float m*n, float n*n", float X[m][n], float U[n][n]) {
    for (int i = 0; i < m; i++) {
        for (int k = 0; k < n; k++) {
            X[i][k] /= U[k][k];
            for (int j = k + 1; j < n; j++) X[i][j] -= X[i][k] * U[k][j];
        }
    }
}

// Lower triangle, from the left.
// CHECK: solves.c:[[#@LINE+2]]:{{.*}}register tile
KERNEL(columns_below, "double n*m, double n*n", double X[n][m], double L[n][n]) {
    for (int k = 0; k < n; k++)
        for (int j = 0; j < m; j++) {
            X[k][j] /= L[k][k];
            for (int i = k + 1; i < n; i++) X[i][j] -= L[i][k] * X[k][j];
        }
}

// From the last unknown to the first.
KERNEL(backwards, "double m*n, double n*n", double X[m][n], double L[n][n]) {
    for (int i = 0; i < m; i++)
        for (int k = n - 1; k >= 0; k--) {
            X[i][k] = X[i][k] / L[k][k];
            for (int j = 0; j < k; j++) X[i][j] -= X[i][k] * L[k][j];
        }
}

// The same without a division, and from the left: columns, and rows, in the order against memory.
// CHECK: solves.c:[[#@LINE+2]]:{{.*}}register tile {{.*}} with packed operands
KERNEL(backwards_unit, "double m*n, double n*n", double X[m][n], double L[n][n]) {
    for (int i = 0; i < m; i++)
        for (int k = n - 1; k >= 0; k--)
            for (int j = 0; j < k; j++) X[i][j] -= X[i][k] * L[k][j];
}

KERNEL(backwards_from_the_left, "float n*m, float n*n", float X[n][m], float U[n][n]) {
    for (int k = n - 1; k >= 0; k--)
        for (int j = 0; j < m; j++) {
            X[k][j] /= U[k][k];
            for (int i = 0; i < k; i++) X[i][j] -= U[i][k] * X[k][j];
        }
}

// Transposed triangle; a product where others divide.
KERNEL(transposed, "double m*n, double n*n", double X[m][n], double L[n][n]) {
    for (int i = 0; i < m; i++)
        for (int k = 0; k < n; k++) {
            X[i][k] *= 2.0 - L[k][k];
            for (int j = k + 1; j < n; j++) X[i][j] -= X[i][k] * L[j][k];
        }
}

// Two statements on the diagonal, one of another array.
KERNEL(two_on_the_diagonal, "double m*n, double m*n, double n*n", double X[m][n], double Y[m][n], double U[n][n]) {
    for (int i = 0; i < m; i++)
        for (int k = 0; k < n; k++) {
            Y[i][k] = X[i][k] * 0.5;
            X[i][k] = (X[i][k] + Y[i][k]) / U[k][k];
            for (int j = k + 1; j < n; j++) X[i][j] -= X[i][k] * U[k][j];
        }
}

// One system for each of several planes.
KERNEL(planes, "double k*m*n, double n*n", double X[k][m][n], double U[n][n]) {
    for (int p = 0; p < k; p++)
        for (int i = 0; i < m; i++)
            for (int r = 0; r < n; r++) {
                X[p][i][r] /= U[r][r];
                for (int j = r + 1; j < n; j++) X[p][i][j] -= X[p][i][r] * U[r][j];
            }
}

// Whole numbers, with wrap.
KERNEL(integers, "int m*n, int n*n", int X[m][n], int U[n][n]) {
    for (int i = 0; i < m; i++)
        for (int k = 0; k < n; k++) {
            X[i][k] ^= U[k][k];
            for (int j = k + 1; j < n; j++) X[i][j] -= X[i][k] * U[k][j];
        }
}

// A band around the diagonal: corners with fewer rows than the tile.
KERNEL(banded, "double m*n, double n*n", double X[m][n], double U[n][n]) {
    for (int i = 0; i < m; i++)
        for (int k = 0; k < n; k++) {
            X[i][k] /= U[k][k];
            for (int j = k + 1; j < n && j < k + 21; j++) X[i][j] -= X[i][k] * U[k][j];
        }
}

// Constant sizes: everything is known.
KERNEL(constant, "double 960, double 1600", double X[24][40], double U[40][40]) {
    for (int i = 0; i < 24; i++)
        for (int k = 0; k < 40; k++) {
            X[i][k] /= U[k][k];
            for (int j = k + 1; j < 40; j++) X[i][j] -= X[i][k] * U[k][j];
        }
}
