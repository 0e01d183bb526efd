// From which widths on tiles of bands run: they are cut off on both sides.
// RUN: %loopwright-clang -O3 -march=znver4 -w -S -emit-llvm %s -o - 2>&1 | %FileCheck %s
// RUN: %loopwright-clang -O3 -march=haswell -w -S -emit-llvm %s -o - 2>&1 | %FileCheck %s --check-prefix=HASWELL

static inline int greater(int a, int b) { return a > b ? a : b; }
static inline int less(int a, int b) { return a < b ? a : b; }

// Vectors of a rectangle.
// CHECK-LABEL: define {{.*}} @lu(
// CHECK: icmp sgt i32 %1, 23
void lu(int n, int b, double a[n][n]) {
    for (int k = 0; k < n; k++)
        for (int i = k + 1; i < n && i <= k + b; i++) {
            a[i][k] /= a[k][k];
            for (int j = k + 1; j < n && j <= k + b; j++) a[i][j] -= a[i][k] * a[k][j];
        }
}

// Cells that lie apart.
// CHECK-LABEL: define {{.*}} @columns(
// CHECK: icmp sgt i32 %1, 55
void columns(int n, int b, double a[n][n]) {
    for (int j = 0; j < n; j++)
        for (int k = j + 1; k <= less(n - 1, j + b); k++) {
            double t = a[k][j] / a[j][j];
            for (int i = k; i <= less(n - 1, j + b); i++) a[i][k] -= t * a[i][j];
        }
}

// Vectors of a triangle, with masks and without.
// CHECK-LABEL: define {{.*}} @rows(
// CHECK: icmp sgt i32 %1, 127
// HASWELL-LABEL: define {{.*}} @rows(
// HASWELL: icmp sgt i32 %1, 199
void rows(int n, int b, double a[n][n]) {
    for (int j = 0; j < n; j++)
        for (int k = j + 1; k <= less(n - 1, j + b); k++) {
            double t = a[j][k] / a[j][j];
            for (int i = k; i <= less(n - 1, j + b); i++) a[k][i] -= t * a[j][i];
        }
}

// Nothing beside them.
// CHECK-LABEL: define {{.*}} @updates(
// CHECK: icmp sgt i32 %1, 40
void updates(int n, int b, double a[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = greater(0, i - b); j < i; j++)
            for (int k = greater(0, i - b); k < j; k++) a[i][j] -= a[i][k] * a[j][k];
}
