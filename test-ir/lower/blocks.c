// A square of cells is loaded by rows and transposed; cells that are apart along the row too are loaded one by one.
//
// RUN: %loopwright-clang -O3 -march=x86-64-v3 -mllvm -loopwright-policy=kernels -S -emit-llvm %s -o - | %FileCheck %s

// Halves of rows 0 and 2, of rows 1 and 3, and the squares of two by two in each half.
// CHECK-LABEL: @rows(
// CHECK: load <2 x double>
// CHECK: shufflevector <2 x double> %{{.*}}, <2 x double> %{{.*}}, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
// CHECK: shufflevector <4 x double> %{{.*}}, <4 x double> %{{.*}}, <4 x i32> <i32 0, i32 4, i32 2, i32 6>
// CHECK: shufflevector <4 x double> %{{.*}}, <4 x double> %{{.*}}, <4 x i32> <i32 1, i32 5, i32 3, i32 7>
void rows(int n, int m, double y[restrict n], double a[restrict n][m], double x[restrict m]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) y[i] += a[i][j] * x[j];
}

// CHECK-LABEL: @every_other(
// CHECK: <4 x double> @llvm.fma.v4f64
// CHECK-NOT: <i32 0, i32 4, i32 2, i32 6>
// CHECK-NOT: <i32 1, i32 5, i32 3, i32 7>
// CHECK: {{^}}attributes
void every_other(int n, int m, double y[restrict n], double a[restrict n][2 * m], double x[restrict m]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) y[i] += a[i][2 * j] * x[j];
}
