// First-order recurrences, scans, dynamic programming: loops that carry their values.
// RUN: %execute %s
#include "kernel.h"

KERNEL(prefix_sum, "double n", double *x) {
    for (int i = 1; i < n; i++) x[i] += x[i - 1];
}

KERNEL(suffix_sum, "double n", double *x) {
    for (int i = n - 2; i >= 0; i--) x[i] += x[i + 1];
}

KERNEL(prefix_sums_of_rows, "double n*m", double A[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 1; j < m; j++) A[i][j] += A[i][j - 1];
}

KERNEL(prefix_sums_of_columns, "double n*m", double A[n][m]) {
    for (int j = 0; j < m; j++)
        for (int i = 1; i < n; i++) A[i][j] += A[i - 1][j];
}

KERNEL(integral_image, "double n*m, double n*m", double S[n][m], double A[n][m]) {
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++) S[i][j] = A[i][j] + S[i - 1][j] + S[i][j - 1] - S[i - 1][j - 1];
}

KERNEL(linear_recurrence, "double n, double n, double n", double *x, double *a, double *b) {
    for (int i = 1; i < n; i++) x[i] = a[i] * x[i - 1] * 0.5 + b[i];
}

KERNEL(second_order, "double n", double *x) {
    for (int i = 2; i < n; i++) x[i] = x[i - 1] * 0.5 + x[i - 2] * 0.25;
}

KERNEL(many_recurrences, "double n*m, double n*m", double A[n][m], double B[n][m]) {
    for (int j = 0; j < m; j++)
        for (int i = 1; i < n; i++) A[i][j] = A[i - 1][j] * B[i][j] * 0.5 + 1.0;
}

KERNEL(smoothing, "double n*m, double n*m", double A[n][m], double B[n][m]) {
    for (int i = 0; i < n; i++) {
        double state = 0;
        for (int j = 0; j < m; j++) {
            state = 0.9 * state + 0.1 * B[i][j];
            A[i][j] = state;
        }
    }
}

KERNEL(tridiagonal, "double n, double n, double n, double n, double n", double *a, double *b, double *c, double *d, double *x) {
    for (int i = 0; i < n; i++) b[i] = 4.0 + b[i] * b[i];
    for (int i = 1; i < n; i++) {
        double w = a[i] / b[i - 1];
        b[i] = 4.0 + b[i] - w * c[i - 1] * 0.01;
        d[i] -= w * d[i - 1];
    }
    if (n > 0) x[n - 1] = d[n - 1] / b[n - 1];
    for (int i = n - 2; i >= 0; i--) x[i] = (d[i] - c[i] * x[i + 1]) / b[i];
}

KERNEL(tridiagonal_many, "double n*m, double n*m", double A[n][m], double B[n][m]) {
    for (int j = 0; j < m; j++) {
        for (int i = 1; i < n; i++) A[i][j] -= B[i][j] * A[i - 1][j] * 0.25;
        for (int i = n - 2; i >= 0; i--) A[i][j] -= B[i][j] * A[i + 1][j] * 0.25;
    }
}

KERNEL(floyd_warshall, "int n*n", int path[n][n]) {
    for (int p = 0; p < n; p++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                unsigned through = (unsigned)path[i][p] + (unsigned)path[p][j];
                path[i][j] = path[i][j] < (int)through ? path[i][j] : (int)(through | 1u);
            }
}

KERNEL(floyd_warshall_double, "double n*n", double path[n][n]) {
    for (int p = 0; p < n; p++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                if (path[i][p] + path[p][j] < path[i][j]) path[i][j] = path[i][p] + path[p][j];
}

KERNEL(transitive_closure, "char n*n", unsigned char R[n][n]) {
    for (int p = 0; p < n; p++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) R[i][j] |= R[i][p] & R[p][j];
}

KERNEL(common_subsequence, "int (n+1)*(m+1), char n, char m", int L[n + 1][m + 1], unsigned char *x, unsigned char *y) {
    for (int i = 0; i <= n; i++) L[i][0] = 0;
    for (int j = 0; j <= m; j++) L[0][j] = 0;
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++) {
            if (x[i - 1] % 4 == y[j - 1] % 4) L[i][j] = L[i - 1][j - 1] + 1;
            else L[i][j] = L[i - 1][j] > L[i][j - 1] ? L[i - 1][j] : L[i][j - 1];
        }
}

KERNEL(alignment, "int (n+1)*(m+1), int n*m", int H[n + 1][m + 1], int S[n][m]) {
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++) {
            int best = H[i - 1][j - 1] + S[i - 1][j - 1];
            if (H[i - 1][j] - 2 > best) best = H[i - 1][j] - 2;
            if (H[i][j - 1] - 2 > best) best = H[i][j - 1] - 2;
            H[i][j] = best > 0 ? best % 100000 : 0;
        }
}

KERNEL(knapsack, "int (n+1)*(m+1), int n", int V[n + 1][m + 1], int *value) {
    for (int j = 0; j <= m; j++) V[0][j] = 0;
    for (int i = 1; i <= n; i++)
        for (int j = 0; j <= m; j++) {
            V[i][j] = V[i - 1][j];
            if (j >= 3 && V[i - 1][j - 3] + value[i - 1] > V[i][j]) V[i][j] = (V[i - 1][j - 3] + value[i - 1]) % 100000;
        }
}

KERNEL(matrix_chain, "double n*n, double n", double cost[n][n], double *d) {
    for (int length = 1; length < n; length++)
        for (int i = 0; i < n - length; i++) {
            int j = i + length;
            cost[i][j] = 1e300;
            for (int p = i; p < j; p++) {
                double c = cost[i][p] + cost[p + 1][j] + d[i] * d[p] * d[j];
                if (c < cost[i][j]) cost[i][j] = c;
            }
        }
}

KERNEL(nussinov, "int n*n, char n", int table[n][n], unsigned char *sequence) {
    for (int i = n - 1; i >= 0; i--)
        for (int j = i + 1; j < n; j++) {
            if (j - 1 >= 0) table[i][j] = table[i][j] > table[i][j - 1] ? table[i][j] : table[i][j - 1];
            if (i + 1 < n) table[i][j] = table[i][j] > table[i + 1][j] ? table[i][j] : table[i + 1][j];
            if (j - 1 >= 0 && i + 1 < n && i < j - 1) {
                int paired = table[i + 1][j - 1] + (sequence[i] % 4 + sequence[j] % 4 == 3);
                table[i][j] = table[i][j] > paired ? table[i][j] : paired;
            }
            for (int p = i + 1; p < j; p++) {
                unsigned split = (unsigned)table[i][p] + (unsigned)table[p + 1][j];
                table[i][j] = table[i][j] > (int)split ? table[i][j] : (int)(split & 0xffff);
            }
        }
}

KERNEL(durbin_step, "double n, double n, double n", double *y, double *z, double *r) {
    double beta = 1.0, alpha = n > 0 ? -r[0] * 0.1 : 0.0;
    for (int p = 1; p < n; p++) {
        beta = (1.0 - alpha * alpha) * beta + 2.0;
        double sum = 0;
        for (int i = 0; i < p; i++) sum += r[p - i - 1] * y[i];
        alpha = -(r[p] + sum) / beta * 0.1;
        for (int i = 0; i < p; i++) z[i] = y[i] + alpha * y[p - i - 1];
        for (int i = 0; i < p; i++) y[i] = z[i];
        y[p] = alpha;
    }
}

KERNEL(pascal, "unsigned n*n", unsigned C[n][n]) {
    for (int i = 0; i < n; i++) {
        C[i][0] = 1;
        for (int j = 1; j < i; j++) C[i][j] = C[i - 1][j - 1] + C[i - 1][j];
        C[i][i] = 1;
    }
}

KERNEL(pascal_in_place, "unsigned n+1", unsigned *row) {
    for (int i = 1; i <= n; i++)
        for (int j = i; j >= 1; j--) row[j] += row[j - 1];
}

KERNEL(horizontal_then_vertical, "double n*m", double A[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 1; j < m; j++) A[i][j] += A[i][j - 1] * 0.5;
    for (int i = 1; i < n; i++)
        for (int j = 0; j < m; j++) A[i][j] += A[i - 1][j] * 0.5;
}

KERNEL(wraps_around, "unsigned n", unsigned *x) {
    unsigned state = 1;
    for (int i = 0; i < n; i++) {
        state = state * 1664525u + 1013904223u;
        x[i] ^= state;
    }
}
