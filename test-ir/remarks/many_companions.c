// Each of many statements has loops of its own where tiles end: solves with these must be longer than others.
// RUN: %loopwright-clang -O3 -march=znver4 -fno-math-errno -w -S -emit-llvm %s -o - 2>&1 | %FileCheck %s
#include <math.h>

// CHECK-LABEL: define {{.*}} @solve(
// CHECK: icmp sgt i32 %1, 7
void solve(int m, int n, double x[restrict m][n], double l[restrict n][n]) {
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            for (int k = 0; k < j; k++) x[i][j] -= l[j][k] * x[i][k];
            x[i][j] /= l[j][j];
        }
}

// CHECK-LABEL: define {{.*}} @distances(
// CHECK: icmp sgt i32 %1, 15
void distances(int n, int d, const double *x, const double *mean, const double *l, double *z, double *out) {
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int a = 0; a < d; a++) {
            double t = x[i * d + a] - mean[a];
            for (int b = 0; b < a; b++) t -= l[a * d + b] * z[b];
            z[a] = t / l[a * d + a];
            s += z[a] * z[a];
        }
        out[i] = sqrt(s);
    }
}
