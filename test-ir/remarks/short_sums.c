// From how many terms on sums in lanes run: two, if that makes no fewer sums.
// RUN: %loopwright-clang -O3 -march=znver4 -w -S -emit-llvm %s -o - 2>&1 | %FileCheck %s

// CHECK-LABEL: define {{.*}} @decimated(
// CHECK: icmp sgt i32 %1, 1
// CHECK-NEXT: br i1
void decimated(int n, int taps, float y[restrict n], float *x, float *h) {
    for (int i = 0; i < n; i++) {
        float s = 0;
        for (int k = 0; k < taps; k++) s += h[k] * x[2 * i + k];
        y[i] = s;
    }
}

// CHECK-LABEL: define {{.*}} @filtered(
// CHECK: [[ENOUGH:%[0-9]+]] = icmp sgt i32 %1, 1
// CHECK-NEXT: br i1 [[ENOUGH]]
void filtered(int n, int m, unsigned char there[n][n], float in[n][n], float w[m][m], float out[restrict n][n]) {
    for (int i = 0; i < n - m; i++)
        for (int j = 0; j < n - m; j++) {
            float sum = 0;
            for (int p = 0; p < m; p++)
                for (int q = 0; q < m; q++)
                    if (there[i + p][j + q]) sum += w[p][q] * in[i + p][j + q];
            out[i][j] = sum;
        }
}

// Two rows have two lanes.
// CHECK-LABEL: define {{.*}} @updated(
// CHECK: [[ENOUGH:%[0-9]+]] = icmp sgt i32 %0, 3
// CHECK-NEXT: br i1 [[ENOUGH]]
void updated(int n, double alpha, double a[n][n], double x[n], double y[n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) a[i][j] += alpha * x[i] * y[j] + alpha * y[i] * x[j];
}
