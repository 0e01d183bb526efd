// Where more new loops lie inside each other than original ones, the check is said to fail as much more often: so LLVM keeps the registers of the original loops in them, too.
// RUN: %loopwright-clang --target=x86_64-linux-gnu -O3 -march=znver4 -S -emit-llvm %s -o - | %FileCheck %s

// CHECK-LABEL: define {{.*}} @product(
// CHECK: br i1 {{.*}}, !prof ![[PRODUCT:[0-9]+]]
void product(int n, double *restrict c, const double *restrict a, const double *restrict b) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++) c[i * n + j] += a[i * n + k] * b[k * n + j];
}

// Fewer of them.
// CHECK-LABEL: define {{.*}} @transposed(
// CHECK: br i1 {{.*}}, !prof ![[TRANSPOSED:[0-9]+]]
void transposed(int n, double *restrict y, const double *restrict a, const double *restrict x) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) y[i] += a[j * n + i] * x[j];
}

// CHECK: ![[PRODUCT]] = !{!"branch_weights", i32 1, i32 32768}
// CHECK: ![[TRANSPOSED]] = !{!"branch_weights", i32 1, i32 1024}
