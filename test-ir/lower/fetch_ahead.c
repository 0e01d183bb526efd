// A micro-kernel on copied operands asks for the cells of the next tile.
//
// RUN: %loopwright-clang -O3 -march=x86-64-v3 -S -emit-llvm %s -o - | %FileCheck %s

// CHECK-LABEL: @large(
// CHECK: getelementptr i8, ptr %{{.*}}, i64 %
// CHECK: call void @llvm.prefetch.p0(ptr{{.*}} %{{.*}}, i32 1, i32 3, i32 1)
void large(int n, double c[restrict n][n], double a[restrict n][n], double b[restrict n][n]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        c[i][j] += a[i][k] * b[k][j];
}
