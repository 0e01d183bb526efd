// Loops that store what all their iterations read, in one of them: in pieces, before it, it, and behind it.
// RUN: %execute --seeds=1,3 %s
#include "kernel.h"

KERNEL(shortest_paths, "int n*n", int path[n][n]) {
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                path[i][j] = path[i][j] < path[i][k] + path[k][j] ? path[i][j] : path[i][k] + path[k][j];
}

KERNEL(shortest_paths_of_doubles, "double n*n", double path[n][n]) {
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                path[i][j] = path[i][j] < path[i][k] + path[k][j] ? path[i][j] : path[i][k] + path[k][j];
}

KERNEL(shortest_paths_backwards, "float n*n", float path[n][n]) {
    for (int k = n - 1; k >= 0; k--)
        for (int i = 0; i < n; i++)
            for (int j = n - 1; j >= 0; j--)
                path[i][j] = fminf(path[i][j], path[i][k] + path[k][j]);
}

KERNEL(widest_paths_by_columns, "unsigned n*n", unsigned path[n][n]) {
    for (int k = 0; k < n; k++)
        for (int j = 0; j < n; j++)
            for (int i = 0; i < n; i++) {
                unsigned both = path[k][i] < path[j][k] ? path[k][i] : path[j][k];
                path[j][i] = path[j][i] > both ? path[j][i] : both;
            }
}

KERNEL(closure, "char n*n", unsigned char reaches[n][n]) {
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) reaches[i][j] |= reaches[i][k] & reaches[k][j];
}

KERNEL(elimination_of_whole_rows, "dominant, double n*n", double A[n][n]) {
    for (int k = 0; k < n; k++)
        for (int i = k + 1; i < n; i++)
            for (int j = 0; j < n; j++) A[i][j] -= A[i][k] * A[k][j];
}

KERNEL(within_a_triangle, "long n*n", long A[n][n]) {
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j <= i; j++) A[i][j] += 3 * A[i][k] - A[k][j];
}

KERNEL(shifted, "int n*(n+3)", int A[n][n + 3]) {
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) A[i][j + 2] += A[i][k] ^ A[k][j + 1];
}

// The cell lies outside of some loops, inside of others.
KERNEL(now_and_then, "double n*n, double n", double A[n][n], double x[n]) {
    for (int k = 0; k < n; k++)
        for (int j = 5; j < n; j++) A[k][j] += 0.25 * A[k][n - 1 - k] + x[j];
}

KERNEL(one_line, "double n", double x[n]) {
    for (int k = 0; k < n; k++)
        for (int j = 0; j < n; j++) x[j] = 0.5 * x[j] + 0.25 * x[k];
}

// Two cells: whole.
KERNEL(two_cells, "double n", double x[n + 1]) {
    for (int k = 0; k + 1 < n; k++)
        for (int j = 0; j < n; j++) x[j] = 0.5 * x[j] + 0.25 * x[k] - 0.125 * x[k + 1];
}
