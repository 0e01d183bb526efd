// Neighbouring cells, each accessed by another statement of a loop whose iterations do not depend on each other, and an access between them that meets one of them in the same iteration.
// LLVM's vectoriser makes one access of the neighbours, and must not be told more than is so (pass/src/lower/parallel.rs).
// RUN: %execute %s
#include "kernel.h"

KERNEL(stored_around_a_read, "int 24*n+24, int 24*n+24", int a[8][3 * n + 3], int x[8][3 * n + 3]) {
    for (int i = 0; i < 8; i++)
        for (int c = n; 2 * c < 3 * n; c++) {
            a[i][3 * n - 2 * c] = (int)((unsigned)a[i][3 * n - 2 * c] * 3u ^ (unsigned)x[i][c]);
            a[i][3 * n - 2 * c - 1] = (int)((unsigned)a[i][3 * n - 2 * c - 1] * 5u + (unsigned)a[i][c]);
        }
}

KERNEL(stored_around_a_read_upwards, "float 4*n+8, float 4*n+8", float *a, float *x) {
    for (int c = 0; c <= n; c++) {
        a[2 * c + n] = a[2 * c + n] * 0.5f + x[c];
        a[2 * c + n + 1] = a[n - c] * 0.25f;
    }
}

KERNEL(read_around_a_store, "double 8*n+8, double 8*n+8, double 8*n+8", double *a, double *x, double *t) {
    for (int c = n; 2 * c < 3 * n; c++) {
        t[c] += a[3 * n - 2 * c - 1] * 0.5;
        a[c] = x[c] + 1.0;
        t[c] -= a[3 * n - 2 * c];
    }
}

KERNEL(three_neighbours, "int 16*n+16, int 16*n+16", int *a, int *x) {
    for (int c = n; 3 * c < 4 * n; c++) {
        a[4 * n - 3 * c + 1] = (int)((unsigned)x[c] * 7u);
        a[4 * n - 3 * c] = (int)((unsigned)a[c + 1] + 1u);
        a[4 * n - 3 * c - 1] = (int)((unsigned)a[c] ^ (unsigned)x[c]);
    }
}

KERNEL(stored_twice, "int 8*n+8, int 8*n+8, int 8*n+8", int *a, int *x, int *y) {
    for (int c = 0; c < n; c++) {
        a[2 * c + 1] = x[c];
        a[2 * c] = (int)((unsigned)y[c] * 3u);
        y[c] = (int)((unsigned)a[2 * c + 1] + 2u);
        a[2 * c + 1] = (int)((unsigned)a[2 * c + 1] ^ (unsigned)a[2 * c]);
    }
}
