// Guards inside loops: affine, modular, by data; bounds that are minima and maxima.
// RUN: %execute %s
#include "kernel.h"

KERNEL(lower_by_guard, "double n*m, double n*m", double A[n][m], double B[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            if (j < i) A[i][j] += B[i][j];
}

KERNEL(diagonal_by_guard, "double n*m, double n*m", double A[n][m], double B[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            if (i == j) A[i][j] = B[i][j];
}

KERNEL(off_diagonal, "double n*m, double n*m", double A[n][m], double B[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            if (i != j) A[i][j] = B[i][j] * 2.0;
}

KERNEL(guarded_product, "double n*m, double n*k, double k*m", double C[n][m], double A[n][k], double B[k][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int p = 0; p < k; p++)
                if (i <= j && p <= i) C[i][j] += A[i][p] * B[p][j];
}

KERNEL(both_sides, "double n*m, double n*m, double n*m", double A[n][m], double B[n][m], double C[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            if (i + j < n) A[i][j] = B[i][j] + 1.0;
            else A[i][j] = C[i][j] - 1.0;
        }
}

KERNEL(first_iteration, "double n*m, double n*m", double A[n][m], double B[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            if (j == 0) A[i][j] = 0;
            A[i][j] += B[i][j];
        }
}

KERNEL(initialise_in_loop, "double n*m, double n*k, double k*m", double C[n][m], double A[n][k], double B[k][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int p = 0; p < k; p++) {
                if (p == 0) C[i][j] = 0;
                C[i][j] += A[i][p] * B[p][j];
            }
}

KERNEL(scaled_guard, "double n*m", double A[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            if (2 * i + 3 * j <= n + m) A[i][j] *= 1.5;
}

KERNEL(even_columns, "double n*m", double A[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            if (j % 2 == 0) A[i][j] += 1.0;
}

KERNEL(checkerboard, "double n*m", double A[n][m]) {
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
            if ((i + j) % 2 == 0) A[i][j] = 0.25 * (A[i - 1][j] + A[i + 1][j] + A[i][j - 1] + A[i][j + 1]);
}

KERNEL(guard_on_size, "double n*m, double n*m", double A[n][m], double B[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            if (k > 7) A[i][j] += B[i][j];
            else A[i][j] -= B[i][j];
}

KERNEL(guard_on_data, "double n*m, double n*m", double A[n][m], double B[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            if (B[i][j] > 0) A[i][j] += B[i][j];
}

KERNEL(guard_on_own_data, "double n*m", double A[n][m]) {
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++)
            if (A[i][j] < 0) A[i][j] = 0;
}

KERNEL(select_of_data, "double n*m, double n*m, double n*m", double A[n][m], double B[n][m], double C[n][m]) {
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++) A[i][j] = B[i][j] > 0 ? B[i][j] : C[i][j];
}

KERNEL(data_guards_inner_loop, "double n, double n*m, double n", double y[n], double A[n][m], double x[n]) {
    for (int i = 0; i < n; i++)
        if (x[i] > 0)
            for (int j = 0; j < m; j++) y[i] += A[i][j];
}

KERNEL(minimum_bound, "double n*m, double n*m", double A[n][m], double B[n][m]) {
    int s = n < m ? n : m;
    for (int i = 0; i < s; i++)
        for (int j = 0; j < s; j++) A[i][j] += B[i][j] * 2.0;
}

KERNEL(two_bounds, "double n*m, double n*m", double A[n][m], double B[n][m]) {
    for (int i = 0; i < n && i < k; i++)
        for (int j = 0; j < m && j <= i; j++) A[i][j] += B[i][j];
}

KERNEL(maximum_lower_bound, "double n*m", double A[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = i > k ? i - k : 0; j < m; j++) A[i][j] = A[i][j] * 0.5 + 1.0;
}

KERNEL(guard_outside, "double n*m, double n*m", double A[n][m], double B[n][m]) {
    if (n > 2 && m > 2)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) A[i][j] = B[i - 1][j] + B[i + 1][j];
}

KERNEL(skip_one_row, "double n*m, double n*m", double A[n][m], double B[n][m]) {
    for (int i = 0; i < n; i++) {
        if (i == k) continue;
        for (int j = 0; j < m; j++) A[i][j] = B[i][j];
    }
}

KERNEL(guarded_reduction, "double n, double n*m", double y[n], double A[n][m]) {
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int j = 0; j < m; j++)
            if (j != i) sum += A[i][j];
        y[i] = sum;
    }
}

KERNEL(boundary_and_interior, "double n*m, double n*m", double A[n][m], double B[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            if (i == 0 || j == 0 || i == n - 1 || j == m - 1) A[i][j] = 0;
            else A[i][j] = 0.25 * (B[i - 1][j] + B[i + 1][j] + B[i][j - 1] + B[i][j + 1]);
        }
}

KERNEL(switch_on_row, "double n*m", double A[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) switch (i) {
            case 0: A[i][j] = 1.0; break;
            case 1: A[i][j] += 2.0; break;
            default: A[i][j] *= 3.0;
            }
}
