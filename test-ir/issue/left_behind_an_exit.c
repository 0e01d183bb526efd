// A value that a loop leaves in a cell was looked for in stores behind an exit in the middle of its body, too, which the last iteration does not come to.
// RUN: %execute %s
#include "kernel.h"
#define MUCH(a, b) ((a) * 2.0 + (b) * 3.0 + (a) * (a) * 0.25 + (b) * (b) * 0.5 - (a) * (b) + (a) * (a) * (b) * 0.125)
KERNEL(left_behind, "double n*m, double n*m, double n, double n", double A[n][m], double B[n][m], double S[n], double T[n]) {
    if (m < 1) return;
    for (int i = 0; i < n; i++) {
        double v;
        for (int j = 0;; j++) {
            v = MUCH(A[i][j], B[i][j]);
            B[i][j] = v * 0.5 + MUCH(B[i][j], v) * 0.125 + MUCH(v, A[i][j]) * 0.0625;
            if (j == m - 1) break;
            S[i] = v;
        }
        T[i] = v;
    }
}
KERNEL(sum_stored_behind, "double n*m, double n*m, double n, double n", double A[n][m], double B[n][m], double S[n], double T[n]) {
    if (m < 1) return;
    for (int i = 0; i < n; i++) {
        double s = S[i];
        for (int j = 0;; j++) {
            s += MUCH(A[i][j], B[i][j]);
            B[i][j] = A[i][j] * 0.5 + MUCH(B[i][j], A[i][j]) * 0.125 + MUCH(A[i][j], B[i][j]) * 0.0625;
            if (j == m - 1) break;
            S[i] = s;
        }
        T[i] = s;
    }
}
KERNEL(sum_in_front, "double n*m, double n*m, double n", double A[n][m], double B[n][m], double T[n]) {
    if (m < 1) return;
    for (int i = 0; i < n; i++) {
        double s = 0.0;
        for (int j = 0;; j++) {
            s += MUCH(A[i][j], B[i][j]);
            B[i][j] = A[i][j] * 0.5 + MUCH(B[i][j], A[i][j]) * 0.125 + MUCH(A[i][j], B[i][j]) * 0.0625;
            if (j == m - 1) break;
            A[i][j] = B[i][j] + 1.0;
        }
        T[i] = s;
    }
}
KERNEL(sum_behind, "double n*m, double n*m, double n", double A[n][m], double B[n][m], double T[n]) {
    if (m < 1) return;
    for (int i = 0; i < n; i++) {
        double s = 0.0;
        for (int j = 0;; j++) {
            B[i][j] = A[i][j] * 0.5 + MUCH(B[i][j], A[i][j]) * 0.125 + MUCH(A[i][j], B[i][j]) * 0.0625 + MUCH(A[i][j], 3.0);
            if (j == m - 1) break;
            s += A[i][j] * B[i][j];
        }
        T[i] = s;
    }
}
KERNEL(delay_left, "double n*m, double n*m, double n", double A[n][m], double B[n][m], double T[n]) {
    if (m < 1) return;
    for (int i = 0; i < n; i++) {
        double s = 0.5, t = 0.25;
        for (int j = 0;; j++) {
            double o = MUCH(A[i][j], B[i][j]) + t;
            B[i][j] = o + s * 0.5 + MUCH(B[i][j], A[i][j]) * 0.125 + MUCH(A[i][j], B[i][j]) * 0.0625;
            t = s;
            s = o * 0.25;
            if (j == m - 1) break;
            A[i][j] = B[i][j] + 1.0;
        }
        T[i] = t;
    }
}
