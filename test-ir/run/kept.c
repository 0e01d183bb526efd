// Values that are used after their cells have been overwritten are kept in memory of their own.
// RUN: %execute %s
// RUN: %loopwright-clang -O3 -march=znver5 -w -I%S/Inputs -Rpass=loopwright -c %s -o %t.o 2>&1 | %FileCheck %s
#include "kernel.h"

// B = A B with a lower triangle, in place, as the reference BLAS has it (without the question whether B[p][j] is 0).
KERNEL(trmm, "double n*n, double n*m", double A[n][n], double B[n][m]) {
    for (int j = 0; j < m; j++)
        for (int p = n - 1; p >= 0; p--) {
            double t = 0.5 * B[p][j];
            B[p][j] = t * A[p][p];
            for (int i = p + 1; i < n; i++) B[i][j] += t * A[i][p];
        }
}

KERNEL(transpose, "double n*n", double A[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) {
            double t = A[i][j];
            A[i][j] = A[j][i];
            A[j][i] = t;
        }
}

// Rotations of neighbouring rows, on all columns.
KERNEL(rotations, "double n*m, double n, double n", double A[n][m], double c[n], double s[n]) {
    for (int j = 0; j < m; j++)
        for (int i = 0; i + 1 < n; i++) {
            double t = A[i + 1][j];
            A[i + 1][j] = c[i] * t - s[i] * A[i][j];
            A[i][j] = s[i] * t + c[i] * A[i][j];
        }
}

// Under a condition on data.
KERNEL(sometimes, "double n*m, double n*m", double A[n][m], double B[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            if (A[i][j] > B[i][j]) {
                double t = A[i][j];
                A[i][j] = B[i][j] * 0.5;
                B[i][j] = t;
            }
}

// Too deep for a copy of its own.
KERNEL(deep, "double n*m, double n*m", double A[n][m], double B[n][m]) {
    for (int l = 0; l < k; l++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++) {
                double t = A[i][j];
                A[i][j] = B[i][j] + 1;
                B[i][j] = t * 0.5;
            }
}

// Used in a loop behind it.
KERNEL(in_a_loop, "double n, double n*m", double x[n], double A[n][m]) {
    for (int i = 0; i < n; i++) {
        double old = x[i];
        x[i] = 0;
        for (int j = 0; j < m; j++) {
            x[i] += A[i][j] * 0.5;
            A[i][j] += old;
        }
    }
}

// Delay lines whose last value is stored behind the loop: what the scalars held before is copied where an iteration begins.
// CHECK-DAG: kept.c:[[#@LINE+2]]:5: remark: {{.*}}lanes
KERNEL(goertzel, "double n, double m, double m", double x[n], double w[m], double y[m]) {
    for (int b = 0; b < m; b++) {
        double s1 = 0, s2 = 0;
        for (int t = 0; t < n; t++) {
            double s = x[t] + w[b] * s1 - s2;
            s2 = s1;
            s1 = s;
        }
        y[b] = s1 * s1 + s2 * s2 - w[b] * s1 * s2;
    }
}

// CHECK-DAG: kept.c:[[#@LINE+2]]:5: remark: {{.*}}lanes
KERNEL(clenshaw, "double n, double m, double n", double x[n], double c[m], double y[n]) {
    for (int i = 0; i < n; i++) {
        double b1 = 0, b2 = 0;
        for (int k = m - 1; k > 0; k--) {
            double t = 2 * x[i] * b1 - b2 + c[k];
            b2 = b1;
            b1 = t;
        }
        y[i] = x[i] * b1 - b2;
    }
}

// CHECK-DAG: kept.c:[[#@LINE+2]]:5: remark: {{.*}}lanes
KERNEL(longer_line, "float n, float m, float m, float m", float x[n], float w[m], float y[m], float z[m]) {
    for (int b = 0; b < m; b++) {
        float s1 = y[b], s2 = 1, s3 = 2, s4 = z[b];
        for (int t = 0; t < n; t++) {
            float s = x[t] + w[b] * s1 - 0.5f * s2 + 0.25f * s3 - 0.125f * s4;
            s4 = s3;
            s3 = s2;
            s2 = s1;
            s1 = s;
        }
        y[b] = s1;
        z[b] = s3;
    }
}

// CHECK-DAG: kept.c:[[#@LINE+2]]:5: remark: {{.*}}lanes
KERNEL(states_in_memory, "float n*m, float n*m, float 4*n", float x[n][m], float y[n][m], float st[n][4]) {
    for (int c = 0; c < n; c++) {
        float s0 = st[c][0], s1 = st[c][1], s2 = st[c][2], s3 = st[c][3];
        for (int t = 0; t < m; t++) {
            float in = x[c][t], out = 0.1f * in + s0;
            s0 = 0.2f * in - 0.3f * out + s1;
            s1 = 0.3f * in + 0.1f * out + s2;
            s2 = 0.2f * in - 0.05f * out + s3;
            s3 = 0.1f * in + 0.01f * out;
            y[c][t] = out;
        }
        st[c][0] = s0, st[c][1] = s1, st[c][2] = s2, st[c][3] = s3;
    }
}

// Both change hands.
// CHECK-DAG: kept.c:[[#@LINE+2]]:5: remark: {{.*}}lanes
KERNEL(exchanged, "double n, double m, double m", double x[n], double a[m], double b[m]) {
    for (int i = 0; i < m; i++) {
        double p = a[i], q = b[i];
        for (int t = 0; t < n; t++) {
            double r = p;
            p = q + x[t];
            q = 0.5 * r;
        }
        a[i] = p;
        b[i] = q;
    }
}

KERNEL(integers, "int m, int n", int y[m], int x[n]) {
    for (int i = 0; i < m; i++) {
        unsigned a = (unsigned)i, b = 1;
        for (int t = 0; t < n; t++) {
            unsigned c = a + b * (unsigned)x[t];
            a = b;
            b = c;
        }
        y[i] += (int)b;
    }
}

// The loop around goes on with what is left.
KERNEL(over_two_loops, "double n, double m, double 2", double x[n], double w[m], double y[2]) {
    double s1 = 0, s2 = 1;
    for (int b = 0; b < m; b++)
        for (int t = 0; t < n; t++) {
            double s = x[t] + w[b] * s1 - 0.5 * s2;
            s2 = s1;
            s1 = s;
        }
    y[0] = s1;
    y[1] = s2;
}

// Under a condition on data.
KERNEL(line_sometimes, "double n, double m, double m", double x[n], double w[m], double y[m]) {
    for (int b = 0; b < m; b++) {
        double s1 = 0, s2 = 0;
        for (int t = 0; t < n; t++)
            if (x[t] > 0.25) {
                double s = x[t] + w[b] * s1 - s2;
                s2 = s1;
                s1 = s;
            }
        y[b] = s1 - s2;
    }
}
