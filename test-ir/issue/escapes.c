// Values that are used after the loops, and loops that never run.
// RUN: %execute %s
#include "kernel.h"

KERNEL(last_index, "int 1, double n*m", int *at, double A[n][m]) {
    int i, j = -7;
    for (i = 0; i < n; i++)
        for (j = 0; j < m; j++) A[i][j] += 1.0;
    *at = 1000 * i + j;
}

KERNEL(last_value, "double 1, double n*m", double *at, double A[n][m]) {
    double last = -1.0;
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++) {
            last = A[i][j];
            A[i][j] = last * 0.5;
        }
    *at = last;
}

KERNEL(last_value_of_guarded, "double 1, double n*m", double *at, double A[n][m]) {
    double last = -1.0;
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++)
            if (i + j == k) {
                last = A[i][j];
                A[i][j] = last * 0.5;
            }
    *at = last;
}

KERNEL(set_where_nothing_runs, "double 1, double n*m", double *at, double A[n][m]) {
    double last = 3.0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            if (j > i && j < i) last = A[i][j];
            A[i][j] += last;
        }
    *at = last;
}

KERNEL(called_between, "double n*m", double A[n][m]) {
    double s = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) s += A[i][j];
    note(s);
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++) A[i][j] -= s;
    note(A ? s : 0);
}

KERNEL(sums_leave_twice, "double n, double n*m", double *x, double A[n][m]) {
    double s = 0, t = 1;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++) {
            s += A[i][j];
            t -= s;
        }
        x[i] = t;
    }
    note(s);
    note(t);
}

KERNEL(integer_sum_leaves, "int n, int n*m", int *x, int A[n][m]) {
    unsigned s = 0;
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++) {
            s += (unsigned)A[i][j];
            A[i][j] = (int)(3u * (unsigned)A[i][j]);
        }
    note(s);
}

KERNEL(cursor_leaves, "double n*m", double *A) {
    double *p = A;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) *p++ *= 0.5;
    note((double)(p - A));
}

KERNEL(count_leaves, "int 1, int n*m", int *count, int A[n][m]) {
    int c = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i && j < m; j++) {
            A[i][j] = c;
            c++;
        }
    *count = c;
}

KERNEL(empty_for_ever, "double n*m", double A[n][m]) {
    for (int i = n; i < n; i++)
        for (int j = 0; j < m; j++) A[i][j] = 0;
    for (int i = 0; i < n; i++)
        for (int j = m; j < 0; j++) A[i][j] = 0;
}

KERNEL(never_both, "negative, double n*m", double A[n][m]) {
    if (n <= 0 || m <= 0) return;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            if (k < 0 && k > 3) A[j][i] = 0;
            else A[i][j] += 1.0;
}

KERNEL(crossed_bounds, "negative, double 300", double *x) {
    for (int i = m; i < n; i++)
        for (int j = k; j < m; j++) x[i - m] += j;
}

KERNEL(negative_trips, "negative, double n, double m", double *x, double *y) {
    for (int i = 0; i < n - 3; i++)
        for (int j = i; j < m - k; j++)
            if (j < m && j >= 0) x[i] += y[j];
}
