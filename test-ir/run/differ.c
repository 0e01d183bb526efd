// Sums, and stores, that counters switch off for some iterations: where two of them are equal, outside of a padded image.
// RUN: %execute %s
#include "kernel.h"

KERNEL(jacobi, "double n*n, double n, double n, double n", double A[n][n], double b[n], double x[n], double y[n]) {
    for (int t = 0; t < m; t++) {
        for (int i = 0; i < n; i++) {
            double s = 0.0;
            for (int j = 0; j < n; j++)
                if (j != i) s += A[i][j] * x[j];
            y[i] = (b[i] - s) * 0.5;
        }
        for (int i = 0; i < n; i++) x[i] = y[i];
    }
}

// Several sums, none of which starts with zero.
KERNEL(forces, "float n, float n, float n, float n", float x[n], float y[n], float ax[n], float ay[n]) {
    for (int i = 0; i < n; i++) {
        float sx = ax[i], sy = -0.0f;
        for (int j = 0; j < n; j++) {
            if (i == j) continue;
            float dx = x[j] - x[i], dy = y[j] - y[i], r = 1.0f / sqrtf(dx * dx + dy * dy + 1.0f);
            sx += dx * r;
            sy += dy * r;
        }
        ax[i] = sx;
        ay[i] = sy;
    }
}

KERNEL(in_memory, "double n, double n", double x[n], double a[n]) {
    for (int i = 0; i < n; i++) {
        a[i] = 0.0;
        for (int j = 0; j < n; j++) {
            if (j == i || j == i + 2) continue;
            a[i] += 1.0 / (x[j] - x[i] + 8.0);
        }
    }
}

// All rows but the one of the pivot.
KERNEL(gauss_jordan, "double n*n, double n*m, dominant", double A[n][n], double B[n][m]) {
    for (int p = 0; p < n; p++) {
        double d = 1.0 / A[p][p];
        for (int j = 0; j < n; j++) A[p][j] *= d;
        for (int j = 0; j < m; j++) B[p][j] *= d;
        for (int i = 0; i < n; i++) {
            if (i == p) continue;
            double f = A[i][p];
            for (int j = 0; j < n; j++) A[i][j] -= f * A[p][j];
            for (int j = 0; j < m; j++) B[i][j] -= f * B[p][j];
        }
    }
}

KERNEL(padded, "float n*m, float n*m, float 25", float out[n][m], float in[n][m], float f[5][5]) {
    for (int y = 0; y < n; y++)
        for (int x = 0; x < m; x++) {
            float s = 0.0f;
            for (int i = 0; i < 5; i++)
                for (int j = 0; j < 5; j++) {
                    int yy = y + i - 2, xx = x + j - 2;
                    if (yy >= 0 && yy < n && xx >= 0 && xx < m) s += in[yy][xx] * f[i][j];
                }
            out[y][x] = s;
        }
}

// The same with subscripts by hand and the filter's size known at run time.
KERNEL(padded_flat, "float n*m, float n*m, float k*k", float *out, float *in, float *f) {
    int half = k / 2;
    for (int y = 0; y < n; y++)
        for (int x = 0; x < m; x++) {
            float s = 0.0f;
            for (int i = 0; i < k; i++)
                for (int j = 0; j < k; j++) {
                    int yy = y + i - half, xx = x + j - half;
                    if (yy >= 0 && yy < n && xx >= 0 && xx < m) s += in[yy * m + xx] * f[i * k + j];
                }
            out[y * m + x] = s;
        }
}

// Of which one is used in the loop, where it may not have been updated, and both behind it.
KERNEL(used_inside, "int n*m, int n*m, int n", int A[n][m], int B[n][m], int x[n]) {
    int sum = 0, other = 3;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++) {
            if (i != j) sum += B[i][j];
            A[i][j] += sum;
            if (j > i) other -= A[i][j];
        }
        x[i] = other;
    }
    note(sum);
    note(other);
}

// The new value, under a condition, is not what goes on.
KERNEL(not_taken, "double n*m, double n*m", double A[n][m], double B[n][m]) {
    double s = 1.0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            if (i != j) {
                double t = s + B[i][j];
                A[i][j] = t;
                if (j > 2) s = t;
            }
        }
    note(s);
}

// Products of counters that differ, unsigned ones, and a far-off constant.
KERNEL(odd_numbers, "double n*m, double n*m", double A[n][m], double B[n][m]) {
    for (unsigned i = 0; i < (unsigned)n; i++) {
        double s = 0.5;
        for (unsigned j = 0; j < (unsigned)m; j++) {
            if (i - 3u < j) s += B[i][j];
            if (2 * i != 3 * j) s -= B[i][j] * 0.5;
            if (j != 4000000000u) A[i][j] += s;
        }
    }
}
