// Control flow around and inside loops that is not affine.
// RUN: %execute %s
#include "kernel.h"

KERNEL(outer_while, "double n*m, double n*m", double A[n][m], double B[n][m]) {
    int t = k;
    while (t > 0) {
        for (int j = 0; j < m; j++)
            for (int i = 0; i < n; i++) A[i][j] += B[i][j] * 0.5;
        t /= 2;
    }
}

KERNEL(outer_until_converged, "double n, double n", double *x, double *y) {
    double change = 1.0;
    for (int t = 0; t < 20 && change > 0.01; t++) {
        change = 0;
        for (int i = 1; i < n - 1; i++) {
            y[i] = 0.5 * (x[i - 1] + x[i + 1]);
            change += fabs(y[i] - x[i]);
        }
        for (int i = 1; i < n - 1; i++) x[i] = y[i];
    }
}

KERNEL(early_return, "double n*m, double n*m", double A[n][m], double B[n][m]) {
    if (n < 3) return;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) A[i][j] += B[i][j];
    if (k < 3) return;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) A[i][j] *= 2.0;
}

KERNEL(loop_in_branch, "double n*m, double n*m", double A[n][m], double B[n][m]) {
    if (k > 8) {
        for (int j = 0; j < m; j++)
            for (int i = 0; i < n; i++) A[i][j] += B[i][j];
    } else {
        for (int j = 0; j < m; j++)
            for (int i = 0; i < n; i++) A[i][j] -= B[i][j];
    }
}

KERNEL(branch_on_data_around_nest, "double n*m, double n*m", double A[n][m], double B[n][m]) {
    if (n > 0 && m > 0 && B[0][0] > 0)
        for (int j = 0; j < m; j++)
            for (int i = 0; i < n; i++) A[i][j] += B[i][j];
}

KERNEL(search, "int 1, double n*m", int *at, double A[n][m]) {
    *at = -1;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            if (A[i][j] > 1.4) {
                *at = i * m + j;
                return;
            }
}

KERNEL(break_by_data, "double n*m", double A[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            if (A[i][j] > 1.0) break;
            A[i][j] += 1.0;
        }
}

KERNEL(continue_by_data, "double n*m", double A[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            if (A[i][j] > 0) continue;
            A[i][j] += 1.0;
        }
}

KERNEL(break_of_outer_loop, "double n*m", double A[n][m]) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++) A[i][j] += 1.0;
        if (m > 0 && A[i][0] > 2.0) break;
    }
}

KERNEL(bound_from_memory, "double n*m, int n", double A[n][m], int *length) {
    for (int i = 0; i < n; i++) {
        int end = length[i] < m ? length[i] : m;
        for (int j = 0; j < end; j++) A[i][j] += 1.0;
    }
}

KERNEL(bound_written_inside, "int n, int 1", int *x, int *end) {
    *end = n;
    for (int i = 0; i < *end; i++) {
        x[i] = i;
        if (*end > n) *end = n;
    }
}

KERNEL(irreducible, "double n", double *x) {
    int i = 0;
    if (k > 5) goto middle;
top:
    if (i >= n) return;
    x[i] += 1.0;
middle:
    if (i < n) x[i] *= 2.0;
    i++;
    goto top;
}

KERNEL(loop_by_goto, "double n*m", double A[n][m]) {
    int i = 0;
rows:
    if (i < n) {
        for (int j = 0; j < m; j++) A[i][j] *= 3.0;
        i++;
        goto rows;
    }
}

KERNEL(collatz, "unsigned n", unsigned *x) {
    for (int i = 0; i < n; i++) {
        unsigned value = x[i] + 1, steps = 0;
        while (value != 1 && steps < 50) {
            value = value % 2 ? 3 * value + 1 : value / 2;
            steps++;
        }
        x[i] = steps;
    }
}

KERNEL(linked_indices, "int n, double n", int *next, double *x) {
    for (int i = 0; i < n; i++) next[i] = (i * 7 + 3) % (n > 0 ? n : 1);
    int at = 0;
    for (int i = 0; i < n; i++) {
        x[at] += 1.0;
        at = next[at];
    }
}

KERNEL(bubble_sort, "int n", int *x) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n - 1 - i; j++)
            if (x[j] > x[j + 1]) {
                int t = x[j];
                x[j] = x[j + 1];
                x[j + 1] = t;
            }
}

KERNEL(empty_body, "double n", double *x) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
        }
    if (n > 0) x[0] += 1.0;
}

KERNEL(zero_trips, "double n*m", double A[n][m]) {
    for (int i = 5; i < 3; i++)
        for (int j = 0; j < m; j++) A[i][j] = 0;
    for (int i = 0; i < n; i++)
        for (int j = m; j < m; j++) A[i][j] = 0;
    for (int i = n; i < n; i++) A[i][0] = 1.0;
}

KERNEL(negative_bounds, "negative, double n*m, double n*m", double *A, double *B) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) A[i * m + j] += B[i * m + j] * 2.0;
}

KERNEL(unsigned_bound_minus_one, "double n*m", double A[n][m]) {
    unsigned rows = (unsigned)n, columns = (unsigned)m;
    if (rows == 0) return;
    for (unsigned i = 0; i < rows - 1; i++)
        for (unsigned j = 0; j + 1 < columns; j++) A[i][j] = A[i + 1][j + 1];
}

KERNEL(last_value_of_variable, "double n*m, int 2", double A[n][m], int *at) {
    int i = 0, j = 0;
    for (i = 0; i < n; i++)
        for (j = 0; j < m; j++) A[i][j] += 1.0;
    at[0] = i;
    at[1] = j;
}

KERNEL(variable_of_two_loops, "double n+m", double *x) {
    int i;
    for (i = 0; i < n; i++) x[i] += 1.0;
    for (; i < n + m; i++) x[i] += 2.0;
}

KERNEL(accumulator_escapes, "double n*m, double 1", double A[n][m], double *last) {
    double sum = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) sum = A[i][j] - sum;
    *last = sum;
    note(sum);
}

KERNEL(recursion_by_halves, "double n*m", double A[n][m]) {
    for (int width = 1; width < m; width *= 2)
        for (int i = 0; i < n; i++)
            for (int j = 0; j + width < m; j += 2 * width) A[i][j] += A[i][j + width];
}

KERNEL(butterflies, "double n*64", double A[n][64]) {
    for (int half = 1; half < 64; half *= 2)
        for (int i = 0; i < n; i++)
            for (int block = 0; block < 64; block += 2 * half)
                for (int j = block; j < block + half; j++) {
                    double x = A[i][j], y = A[i][j + half];
                    A[i][j] = x + y;
                    A[i][j + half] = x - y;
                }
}
