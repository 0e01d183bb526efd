// Cells in vector registers: neighbouring rows and vectors of a tile use the same cells, each in other lanes.
// RUN: %execute %s
#include "kernel.h"

// The row below has one more lane of d.
KERNEL(lower, "double n*n, double m, double n", double C[n][n], double x[m], double d[n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++)
            for (int k = 0; k < m; k++) C[i][j] += x[k] * d[j];
}

KERNEL(upper, "float n*n, float m, float n, noalias", float C[restrict n][n], float x[restrict m], float d[restrict n]) {
    for (int i = 0; i < n; i++)
        for (int j = i; j < n; j++)
            for (int k = 0; k < m; k++) C[i][j] += x[k] * d[j];
}

// Other lanes in each row, none in all of them.
KERNEL(diagonals, "double n*n, double m, double n", double C[n][n], double x[m], double d[n]) {
    for (int i = 0; i < n; i++)
        for (int j = i; j < i + 3 && j < n; j++)
            for (int k = 0; k < m; k++) C[i][j] += x[k] - d[j];
}

// Pieces of one line, a row for each.
KERNEL(pairs, "double n+n, double m, double n+n", double C[n][2], double x[m], double d[2 * n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 2; j++)
            for (int k = 0; k < m; k++) C[i][j] += x[k] + d[2 * i + j];
}

KERNEL(pairs_of_integers, "int n+n, int m, int n+n", int C[n][2], int x[m], int d[2 * n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 2; j++)
            for (int k = 0; k < m; k++) C[i][j] = (int)((unsigned)C[i][j] + (unsigned)x[k] * (unsigned)d[2 * i + j]);
}

// Rows that move against the line, and with it.
KERNEL(sums, "double n*n, double m, double n+n, double n+n", double C[n][n], double x[m], double d[2 * n], double e[2 * n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++)
            for (int k = 0; k < m; k++) C[i][j] += x[k] * d[i + j] + e[n - i + j];
}

// As it was found: the sum lives in no cell of the program, and halves of places make it an array of pairs.
KERNEL(halves_of_places, "float n+n+n+20, noalias", float *restrict a) {
    for (int t = 0; t < n && n < 22; t++)
        for (long i = 0; i < n; i++) {
            float s = 0;
            for (long j = 0; j < 3L * t + 1; j++) s += a[i + 20];
            a[(i + 19) / 2] += s;
            a[(i + 3 * t) % 20] *= 0.5f;
        }
}

KERNEL(halves_for_an_argument, "float n+n+n+20", float *a) {
    for (long i = 0; i < n; i++) {
        float s = 0;
        for (long j = 0; j < 3L * m + 1; j++) s += a[i + 20 + n];
        a[(i + 19) / 2] += s;
    }
}
