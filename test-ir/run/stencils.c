// Stencils, alone and in time loops.
// RUN: %execute %s
#include "kernel.h"

KERNEL(jacobi_1d, "double n, double n", double *A, double *B) {
    for (int t = 0; t < k; t++) {
        for (int i = 1; i < n - 1; i++) B[i] = 0.33333 * (A[i - 1] + A[i] + A[i + 1]);
        for (int i = 1; i < n - 1; i++) A[i] = 0.33333 * (B[i - 1] + B[i] + B[i + 1]);
    }
}

KERNEL(jacobi_1d_copy_back, "double n, double n", double *A, double *B) {
    for (int t = 0; t < k; t++) {
        for (int i = 1; i < n - 1; i++) B[i] = 0.33333 * (A[i - 1] + A[i] + A[i + 1]);
        for (int i = 1; i < n - 1; i++) A[i] = B[i];
    }
}

KERNEL(jacobi_1d_memcpy, "noalias, double n, double n", double *restrict A, double *restrict B) {
    for (int t = 0; t < k; t++) {
        for (int i = 1; i < n - 1; i++) B[i] = 0.33333 * (A[i - 1] + A[i] + A[i + 1]);
        if (n > 2) memcpy(A + 1, B + 1, (size_t)(n - 2) * sizeof *A);
    }
}

KERNEL(jacobi_1d_swapped_pointers, "noalias, double n, double n", double *restrict A, double *restrict B) {
    double *from = A, *to = B;
    for (int t = 0; t < k; t++) {
        for (int i = 1; i < n - 1; i++) to[i] = 0.33333 * (from[i - 1] + from[i] + from[i + 1]);
        double *other = from;
        from = to;
        to = other;
    }
}

KERNEL(jacobi_1d_two_rows, "double 2*n", double A[2][n]) {
    for (int t = 0; t < k; t++)
        for (int i = 1; i < n - 1; i++) A[(t + 1) % 2][i] = 0.33333 * (A[t % 2][i - 1] + A[t % 2][i] + A[t % 2][i + 1]);
}

KERNEL(jacobi_2d, "double n*m, double n*m", double A[n][m], double B[n][m]) {
    int steps = k < 9 ? k : 9;
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) B[i][j] = 0.2 * (A[i][j] + A[i][j - 1] + A[i][j + 1] + A[i + 1][j] + A[i - 1][j]);
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) A[i][j] = 0.2 * (B[i][j] + B[i][j - 1] + B[i][j + 1] + B[i + 1][j] + B[i - 1][j]);
    }
}

KERNEL(jacobi_2d_restrict, "noalias, double n*m, double n*m", double A[restrict n][m], double B[restrict n][m]) {
    int steps = k < 9 ? k : 9;
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) B[i][j] = 0.2 * (A[i][j] + A[i][j - 1] + A[i][j + 1] + A[i + 1][j] + A[i - 1][j]);
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) A[i][j] = B[i][j];
    }
}

KERNEL(heat_3d, "double n*n*n, double n*n*n", double A[n][n][n], double B[n][n][n]) {
    for (int t = 0; t < 3; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                for (int p = 1; p < n - 1; p++)
                    B[i][j][p] = 0.125 * (A[i + 1][j][p] - 2.0 * A[i][j][p] + A[i - 1][j][p]) +
                                 0.125 * (A[i][j + 1][p] - 2.0 * A[i][j][p] + A[i][j - 1][p]) +
                                 0.125 * (A[i][j][p + 1] - 2.0 * A[i][j][p] + A[i][j][p - 1]) + A[i][j][p];
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                for (int p = 1; p < n - 1; p++) A[i][j][p] = B[i][j][p] * 0.5;
    }
}

KERNEL(seidel_1d, "double n", double *A) {
    for (int t = 0; t < k; t++)
        for (int i = 1; i < n - 1; i++) A[i] = (A[i - 1] + A[i] + A[i + 1]) / 3.0;
}

KERNEL(seidel_2d, "double n*m", double A[n][m]) {
    int steps = k < 7 ? k : 7;
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                A[i][j] = (A[i - 1][j - 1] + A[i - 1][j] + A[i - 1][j + 1] + A[i][j - 1] + A[i][j] + A[i][j + 1] +
                           A[i + 1][j - 1] + A[i + 1][j] + A[i + 1][j + 1]) / 9.0;
}

KERNEL(seidel_2d_columns, "double n*m", double A[n][m]) {
    for (int t = 0; t < 3; t++)
        for (int j = 1; j < m - 1; j++)
            for (int i = 1; i < n - 1; i++) A[i][j] = 0.2 * (A[i][j] + A[i][j - 1] + A[i][j + 1] + A[i + 1][j] + A[i - 1][j]);
}

KERNEL(fdtd_2d, "double n*m, double (n+1)*m, double n*m", double ex[n][m], double ey[n + 1][m], double hz[n][m]) {
    int steps = k < 5 ? k : 5;
    for (int t = 0; t < steps; t++) {
        for (int j = 0; j < m; j++) ey[0][j] = t;
        for (int i = 1; i < n; i++)
            for (int j = 0; j < m; j++) ey[i][j] = ey[i][j] - 0.5 * (hz[i][j] - hz[i - 1][j]);
        for (int i = 0; i < n; i++)
            for (int j = 1; j < m; j++) ex[i][j] = ex[i][j] - 0.5 * (hz[i][j] - hz[i][j - 1]);
        for (int i = 0; i < n - 1; i++)
            for (int j = 0; j < m - 1; j++) hz[i][j] = hz[i][j] - 0.7 * (ex[i][j + 1] - ex[i][j] + ey[i + 1][j] - ey[i][j]);
    }
}

KERNEL(wave, "double n, double n, double n", double *next, double *now, double *last) {
    for (int t = 0; t < 4; t++) {
        for (int i = 1; i < n - 1; i++) next[i] = 2.0 * now[i] - last[i] + 0.25 * (now[i - 1] - 2.0 * now[i] + now[i + 1]);
        for (int i = 0; i < n; i++) last[i] = now[i];
        for (int i = 0; i < n; i++) now[i] = next[i];
    }
}

KERNEL(life, "int n*m, int n*m", int A[n][m], int B[n][m]) {
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++) {
            int alive = (A[i - 1][j - 1] & 1) + (A[i - 1][j] & 1) + (A[i - 1][j + 1] & 1) + (A[i][j - 1] & 1) +
                        (A[i][j + 1] & 1) + (A[i + 1][j - 1] & 1) + (A[i + 1][j] & 1) + (A[i + 1][j + 1] & 1);
            B[i][j] = alive == 3 || (alive == 2 && (A[i][j] & 1));
        }
}

KERNEL(blur_separable, "double n*m, double n*m, double n*m", double out[n][m], double in[n][m], double t[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 1; j < m - 1; j++) t[i][j] = (in[i][j - 1] + in[i][j] + in[i][j + 1]) / 3.0;
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++) out[i][j] = (t[i - 1][j] + t[i][j] + t[i + 1][j]) / 3.0;
}

KERNEL(convolution, "double n*m, double (n+2)*(m+2), double 9", double out[n][m], double in[n + 2][m + 2], double w[3][3]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            out[i][j] = 0;
            for (int p = 0; p < 3; p++)
                for (int q = 0; q < 3; q++) out[i][j] += in[i + p][j + q] * w[p][q];
        }
}

KERNEL(convolution_1d, "double n, double n+k, double k", double *out, double *in, double *w) {
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int p = 0; p < k; p++) sum += in[i + p] * w[p];
        out[i] = sum;
    }
}

KERNEL(periodic, "double n, double n", double *A, double *B) {
    for (int i = 0; i < n; i++) B[i] = 0.5 * (A[i == 0 ? n - 1 : i - 1] + A[i == n - 1 ? 0 : i + 1]);
}

KERNEL(boundaries_in_time, "double n*m", double A[n][m]) {
    for (int t = 0; t < 3; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) A[i][j] = 0.5 * (A[i][j - 1] + A[i - 1][j]);
        if (n > 0 && m > 0)
            for (int i = 0; i < n; i++) A[i][0] = A[i][m - 1];
    }
}

KERNEL(downwind_rows, "double n*m", double A[n][m]) {
    for (int i = 1; i < n; i++)
        for (int j = 0; j < m; j++) A[i][j] += 0.5 * A[i - 1][j];
}

KERNEL(downwind_columns, "double n*m", double A[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 1; j < m; j++) A[i][j] += 0.5 * A[i][j - 1];
}

KERNEL(upwind_diagonal, "double n*m", double A[n][m]) {
    for (int i = 1; i < n; i++)
        for (int j = 0; j < m - 1; j++) A[i][j] += 0.5 * A[i - 1][j + 1];
}

KERNEL(anti_dependence, "double n*m", double A[n][m]) {
    for (int i = 0; i < n - 1; i++)
        for (int j = 0; j < m - 1; j++) A[i][j] = A[i + 1][j + 1] + A[i + 1][j];
}

KERNEL(long_distance, "double n*m", double A[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 4; j < m; j++) A[i][j] = A[i][j - 4] * 0.5 + 1.0;
}

KERNEL(restrict_and_prolong, "double n, double 2*n", double *coarse, double *fine) {
    for (int i = 0; i < n; i++) coarse[i] = 0.5 * (fine[2 * i] + fine[2 * i + 1]);
    for (int i = 0; i < n; i++) fine[2 * i] = coarse[i];
    for (int i = 0; i < n; i++) fine[2 * i + 1] = coarse[i] + 1.0;
}

KERNEL(adi_sweep, "double n*n, double n*n, double n*n", double u[n][n], double p[n][n], double q[n][n]) {
    for (int i = 1; i < n - 1; i++) {
        p[i][0] = 0;
        q[i][0] = 1;
        for (int j = 1; j < n - 1; j++) {
            p[i][j] = -0.25 / (0.25 * p[i][j - 1] + 1.5);
            q[i][j] = (u[j][i - 1] * 0.25 + u[j][i] * 0.5 + u[j][i + 1] * 0.25 - 0.25 * q[i][j - 1]) / (0.25 * p[i][j - 1] + 1.5);
        }
        for (int j = n - 2; j >= 1; j--) u[j][i] = p[i][j] * u[j + 1][i] + q[i][j];
    }
}
