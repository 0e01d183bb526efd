// Recurrences along rows, many rows at once: filters, solves, scans, in several types, directions and layouts, with values in registers and in memory.
// RUN: %execute %s
// RUN: %loopwright-clang -O3 -march=x86-64-v4 -w -c %s -o %t.o -Rpass=loopwright -I%S/Inputs 2>&1 | %FileCheck %s
#include "kernel.h"

// Two states, each of which wants the other one's old value.
// CHECK: outer_lanes.c:[[#@LINE+2]]:{{.*}}loops in {{([24] vectors of )?[48]}} lanes
KERNEL(biquad, "double n*m, double n*m", double A[n][m], double B[n][m]) {
    for (int i = 0; i < n; i++) {
        double s = 0.0, t = 0.0;
        for (int j = 0; j < m; j++) {
            double in = A[i][j], out = 0.25 * in + s;
            s = 0.5 * in - 0.3 * out + t;
            t = 0.125 * in - 0.2 * out;
            B[i][j] = out;
        }
    }
}

// CHECK: outer_lanes.c:[[#@LINE+2]]:{{.*}}loops in {{([24] vectors of )?(8|16)}} lanes
KERNEL(biquad_in_place, "float n*m", float A[n][m]) {
    for (int i = 0; i < n; i++) {
        float s = 0.0f, t = 0.0f;
        for (int j = 0; j < m; j++) {
            float in = A[i][j], out = 0.25f * in + s;
            s = 0.5f * in - 0.3f * out + t;
            t = 0.125f * in - 0.2f * out;
            A[i][j] = out;
        }
    }
}

// There and back again, with a statement on the last column in between.
// CHECK: outer_lanes.c:[[#@LINE+3]]:{{.*}}loops in {{([24] vectors of )?[48]}} lanes
KERNEL(tridiagonal_rows, "double n*m, double n*m, double n*m, double n*m", double a[n][m], double b[n][m], double c[n][m], double d[n][m]) {
    if (m < 1) return;
    for (int i = 0; i < n; i++) {
        for (int j = 1; j < m; j++) {
            double w = a[i][j] / (4.0 + b[i][j - 1] * b[i][j - 1]);
            b[i][j] -= w * c[i][j - 1];
            d[i][j] -= w * d[i][j - 1];
        }
        d[i][m - 1] /= 4.0 + b[i][m - 1] * b[i][m - 1];
        for (int j = m - 2; j >= 0; j--) d[i][j] = (d[i][j] - c[i][j] * d[i][j + 1]) / (4.0 + b[i][j] * b[i][j]);
    }
}

// Lines of one array are neighbours from lane to lane, those of others from iteration to iteration.
KERNEL(alternating, "double n*m, double m*n, double m*n", double p[n][m], double u[m][n], double v[m][n]) {
    if (m < 1) return;
    for (int i = 1; i < n - 1; i++) {
        p[i][0] = 0.5;
        for (int j = 1; j < m - 1; j++) p[i][j] = (u[j][i - 1] + u[j][i] + u[j][i + 1]) / (p[i][j - 1] * p[i][j - 1] + 2.0);
        v[m - 1][i] = 1.0;
        for (int j = m - 2; j >= 1; j--) v[j][i] = p[i][j] * v[j + 1][i] * 0.25 + u[j][i];
    }
}

// Both neighbours: what is to come and what has been.
KERNEL(relaxed_rows, "float n*m, float n*m", float A[n][m], float B[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 2; j < m - 2; j++) A[i][j] = 0.25f * (A[i][j - 2] + A[i][j - 1] + A[i][j + 1] + A[i][j + 2]) - B[i][j + 1] + B[i][j - 2];
}

KERNEL(from_the_right, "double n*m", double A[n][m]) {
    for (int i = n - 1; i >= 0; i--)
        for (int j = m - 3; j >= 0; j--) A[i][j] += 0.5 * A[i][j + 1] - 0.25 * A[i][j + 2];
}

KERNEL(hashes, "unsigned n*m, unsigned n", unsigned A[n][m], unsigned *H) {
    for (int i = 0; i < n; i++) {
        unsigned h = 17;
        for (int j = 0; j < m; j++) {
            h = h * 31 + A[i][j];
            A[i][j] = h ^ (h >> 7);
        }
        H[i] = h;
    }
}

KERNEL(short_sums, "short n*m, short n*m", short A[n][m], short B[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 1; j < m; j++) A[i][j] = (short)(A[i][j - 1] * 3 + B[i][j]);
}

// Wide and narrow elements.
KERNEL(mixed_widths, "double n*m, float n*m, int n*m", double A[n][m], float B[n][m], int C[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 1; j < m; j++) {
            A[i][j] = 0.5 * A[i][j - 1] + B[i][j];
            C[i][j] = C[i][j] + 2 * C[i][j - 1];
        }
}

// The cell that is read moves twice as fast.
KERNEL(two_speeds, "double n*(2*m+2)", double A[n][2 * m + 2]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) A[i][j + 1] = A[i][j] * 0.5 + A[i][2 * j + 1] * 0.25;
}

KERNEL(iterations_of_a_map, "double n, double n", double *x, double *y) {
    for (int i = 0; i < n; i++) {
        double r = 0.25 + 0.5 * x[i] * x[i] / (1.0 + x[i] * x[i]);
        for (int k = 0; k < m; k++) r = 3.5 * r * (1.0 - r);
        y[i] = r;
    }
}

// Three dimensions: lanes along the second.
KERNEL(planes, "double n*m*k", double A[n][m][k]) {
    for (int i = 1; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int l = 1; l < k; l++) A[i][j][l] = 0.5 * A[i][j][l - 1] + 0.25 * A[i - 1][j][l];
}

// What a scalar was before, and before that.
KERNEL(delays, "double n*m, double n*m", double A[n][m], double B[n][m]) {
    for (int i = 0; i < n; i++) {
        double x1 = 1.0, x2 = 2.0, y1 = 3.0, y2 = 4.0;
        for (int j = 0; j < m; j++) {
            double x = A[i][j], y = 0.25 * x + 0.5 * x1 - 0.125 * x2 + 0.3 * y1 - 0.1 * y2;
            x2 = x1;
            x1 = x;
            y2 = y1;
            y1 = y;
            A[i][j] = y1 - y2;
            B[i][j] = y;
        }
    }
}

// s takes the old t, t the old s.
KERNEL(rotation, "double n*m, double n*m", double A[n][m], double B[n][m]) {
    for (int i = 0; i < n; i++) {
        double s = 1.0, t = 0.5;
        for (int j = 0; j < m; j++) {
            double u = 0.8 * s - 0.6 * t;
            t = 0.6 * s + 0.8 * t;
            s = u;
            A[i][j] += s;
            B[i][j] -= t;
        }
    }
}

// Solves with the last unknown first: every sum waits for itself, and how long it is depends on the row, not on the lane.
// CHECK: outer_lanes.c:[[#@LINE+2]]:{{.*}}loops in {{[24]}} vectors of {{[48]}} lanes
KERNEL(last_first, "double n*m, double n*n", double X[n][m], double T[n][n]) {
    for (int j = 0; j < m; j++)
        for (int i = n - 1; i >= 0; i--) {
            for (int k = i + 1; k < n; k++) X[i][j] -= T[i][k] * X[k][j];
            X[i][j] /= 4.0 + T[i][i] * T[i][i];
        }
}

// CHECK: outer_lanes.c:[[#@LINE+2]]:{{.*}}loops in {{([24] vectors of )?[48]}} lanes
KERNEL(last_first_rows, "double m*n, double n*n", double X[m][n], double T[n][n]) {
    for (int i = 0; i < m; i++)
        for (int j = n - 1; j >= 0; j--) {
            double s = X[i][j];
            for (int k = j + 1; k < n; k++) s -= X[i][k] * T[k][j];
            X[i][j] = s / (4.0 + T[j][j] * T[j][j]);
        }
}
