// A micro-kernel asks for the cells of the next tile, unless all that it stores is known to be near.
//
// RUN: %loopwright-clang -O3 -march=x86-64-v3 -S -emit-llvm %s -o - | %FileCheck %s

// CHECK-LABEL: @large(
// CHECK: getelementptr i8, ptr %{{.*}}, i64 %
// CHECK: call void @llvm.prefetch.p0(ptr{{.*}} %{{.*}}, i32 0, i32 2, i32 1)
void large(int n, double c[restrict n][n], double a[restrict n][n], double b[restrict n][n]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        c[i][j] += a[i][k] * b[k][j];
}

// CHECK-LABEL: @small(
// CHECK: <4 x double> @llvm.fma.v4f64
// CHECK-NOT: call void @llvm.prefetch
void small(double c[restrict 32][32], double a[restrict 32][32], double b[restrict 32][32]) {
  for (int i = 0; i < 32; i++)
    for (int j = 0; j < 32; j++)
      for (int k = 0; k < 32; k++)
        c[i][j] += a[i][k] * b[k][j];
}
