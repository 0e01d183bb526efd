// What holds only where it runs: no-wrap flags, divisors, bounds and pointers on paths that are not taken.
// RUN: %execute %s
#include "kernel.h"
#include <limits.h>

KERNEL(divisor_may_be_zero, "double n*m, int n", double A[n][m], int *d) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            if (k != 0) A[i][j] += (double)(100 / k);
}

KERNEL(divisor_from_memory, "int n, int n*m, int n", int *x, int A[n][m], int *d) {
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++) A[i][j] = (int)((unsigned)A[i][j] + (d[i] > 0 ? 1000u / (unsigned)d[i] : 7u));
}

KERNEL(division_in_loop_that_may_not_run, "unsigned n, unsigned n*m", unsigned *x, unsigned A[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) A[i][j] += 1000u / (unsigned)m + (unsigned)(i % m);
}

KERNEL(bound_divided, "double n*m", double A[n][m]) {
    if (k > 0)
        for (int i = 0; i < n / k; i++)
            for (int j = 0; j < m; j++) A[i][j] += 1.0;
}

KERNEL(overflow_not_taken, "double n*m", double A[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            if (k > 1000) A[i][j + INT_MAX - k + k * 1000000] = 1.0;
            A[i][j] += 2.0;
        }
}

KERNEL(address_not_taken, "double n*m, double n*m", double A[n][m], double B[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            if (i > 0 && j > 0) A[i][j] = A[i - 1][j - 1] + B[i][j];
            else A[i][j] = B[i][j] * 2.0;
        }
}

KERNEL(null_array, "double n*m", double A[n][m]) {
    double *none = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            if (k < 0) none[i * m + j] = 1.0;
            A[i][j] += 2.0;
        }
}

KERNEL(read_only_when_asked, "double n*m, double n", double A[n][m], double *x) {
    double *p = k > 2 ? x : (double *)0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) A[i][j] += p ? p[i] : 0.5;
}

KERNEL(outer_runs_inner_does_not, "double n*m, double m", double A[n][m], double *x) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < k - 2; j++)
            if (j < m) A[i][j] += x[j];
        for (int j = k; j < m; j++) A[i][j] -= x[j];
    }
}

KERNEL(last_column_only_with_rows, "double n*m, double n", double A[n][m], double *x) {
    if (m > 0)
        for (int i = 0; i < n; i++) {
            x[i] = A[i][m - 1];
            for (int j = 0; j < m; j++) A[i][j] += x[i];
        }
}

KERNEL(shift_by_argument, "unsigned n*m", unsigned A[n][m]) {
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++)
            if (k < 32) A[i][j] += 1u << k;
}

KERNEL(power_of_two_rows, "double n*16", double *A) {
    for (int j = 0; j < 16; j++)
        for (int i = 0; i < n; i++) A[(i << 4) + j] += A[(i << 4) | (15 - j)] * 0.5;
}

KERNEL(masked, "double 8+n", double *x) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) x[(i + j) & 7] += x[i] * 0.5;
}

// The condition is about the number that is stored where the condition does not hold: what that cell has is no news of it.
KERNEL(stored_where_it_does_not_hold, "unsigned n*m+n+m, unsigned n, noalias", unsigned *restrict A, unsigned *restrict x) {
    for (unsigned i = 0; i < (unsigned)n; i++)
        for (unsigned j = 0; j < (unsigned)m; j++) {
            if (j % 3 == 1) {
                A[i * m + j] = A[i * m + j + 1];
            } else {
                A[i * m + j] = j;
            }
            x[i] += 5 * j + A[i * m + j + 2];
        }
}

KERNEL(number_kept_on_one_way, "unsigned 13*m+13*n+99, noalias", unsigned (*restrict A)[13]) {
    if (n > 12 || m > 9) return;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int l = 0; l < m; l++) {
                A[j + 4][l] = A[j + 2][l + 4] + 3;
                if (j % 3 == 1) {
                    A[j + 1][l] = A[i][j];
                } else {
                    A[j + 1][l] = (unsigned)j;
                }
                A[i][j + 1] += 5;
            }
}

// The condition is kept in a cell that the other way overwrites.
KERNEL(kept_product, "int n, int n, int n, int n, int n, int n, noalias", int *restrict x, int *restrict y, int *restrict z, int *restrict p, int *restrict q, int *restrict b) {
    for (int i = 0; i < n; i++) {
        int v = (int)((unsigned)x[i] * (unsigned)y[i]);
        z[i] = v;
        if (v > 0) {
            b[i] = (int)(q[i] * 3u);
        } else {
            z[i] = 1;
            b[i] = p[i];
        }
    }
}

KERNEL(cell_reset_on_one_way, "int n, int n, int n, int n, int n, noalias", int *restrict a, int *restrict x, int *restrict y, int *restrict b, int *restrict c) {
    for (int i = 0; i < n; i++) {
        int before = a[i], t;
        if (before > 0) {
            t = (int)(y[i] + 1u);
        } else {
            a[i] = 1;
            t = (int)(x[i] * 3u);
        }
        c[i] = before;
        b[i] = t;
    }
}

// What the second condition is made of can only be computed where the first one holds.
KERNEL(ways_one_in_the_other, "int n, int n, int n, int n, int n, int n, noalias", int *restrict a, int *restrict p, int *restrict q, int *restrict e, int *restrict f, int *restrict b) {
    for (int i = 0; i < n; i++) {
        int t, u, d = a[i] & 1;
        if (d != 0)
            t = p[i] / d;
        else
            t = (int)(q[i] + 7u);
        if (t > 3) {
            if (e[i] > 1)
                u = (int)(f[i] * 5u);
            else
                u = (int)(q[i] - 7u);
            b[i] = u;
        }
    }
}

KERNEL(read_behind_a_condition, "int n, int n, int m, int n, int n, noalias", int *restrict a, int *restrict b, int *restrict p, int *restrict e, int *restrict f) {
    for (int i = 0; i < n; i++) {
        int t, u, place = a[i] & 1 ? i : n;
        if (place < m)
            t = (int)(p[place] * 3u);
        else
            t = (int)(e[i] + 7u);
        if (t > 3) {
            if (e[i] > 1)
                u = (int)(f[i] * 5u);
            else
                u = (int)(f[i] - 7u);
            b[i] = u;
        }
    }
}
