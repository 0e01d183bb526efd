// A solve whose tiles have three vectors of columns: the columns that are left at the end are one vector, two, or three.
// RUN: %clang --target=x86_64-linux-gnu -O3 -march=znver3 -S -emit-llvm -fno-discard-value-names %s -o /dev/null -mllvm -print-before=loop-distribute -mllvm -filter-print-funcs=f -mllvm -print-module-scope 2> %t.ll
// RUN: %loopwright-opt -passes='print<loopwright-ast>' -disable-output %t.ll 2>&1 | %FileCheck %s

// CHECK: register tile 4x12
// CHECK: if (n <= 12*c3 + 4) {
// CHECK: if (n <= 12*c3 + 8) {
// CHECK-NOT: n - 12*c3 - 8
// More than one is left here: the first is whole.
// CHECK: lanes 4: S
// CHECK-NEXT: lanes 4, < n - 12*c3 - 4: S
// CHECK-NOT: n - 12*c3 - 8
// CHECK: } else {
// CHECK: lanes 4, < n - 12*c3 - 8: S
void f(int n, double A[restrict n][n], double U[restrict n][n]) {
    for (int m = 0; m < n; m++)
        for (int j = 0; j < n; j++) {
            A[j][m] /= U[j][j];
            for (int k = j + 1; k < n; k++) A[k][m] -= A[j][m] * U[k][j];
        }
}
