// A solve by rows: two tiles of four rows have their kernels one after the other, which stand there once, and then one corner, of two vectors whose divisions do not wait for each other.
// RUN: %clang --target=x86_64-linux-gnu -O3 -march=znver3 -S -emit-llvm -fno-discard-value-names %s -o /dev/null -mllvm -print-before=loop-distribute -mllvm -filter-print-funcs=f -mllvm -print-module-scope 2> %t.ll
// RUN: %loopwright-opt -passes='print<loopwright-ast>' -disable-output %t.ll 2>&1 | %FileCheck %s
// RUN: %loopwright-clang --target=x86_64-linux-gnu -O3 -march=znver3 -S %s -o %t.s
// RUN: %inner-loops %t.s | %FileCheck %s --check-prefix=ASM

// CHECK: register tile 4x12
// CHECK: for (c4 = 21*c2; c4 <= min(21*c2 + 20, floord(n - 1, 8)); c4 += 1) { // tile
// CHECK: for (c5 = 2*c4; c5 <= min(2*c4 + 1, floord(n - 1, 4)); c5 += 1) { // tile
// CHECK: hold lanes 4: r0 = A[4*c5][12*c3 + lane] (load, store, fetch the next) {
// CHECK: if (8*c4 + 8 <= n && 12*c3 <= 192*c1 + 180) {
// CHECK-NEXT: hold lanes 4: [[A:r[0-9]+]] = A[8*c4 + lane][12*c3] (load, store) {
// CHECK: hold lanes 4: [[B:r[0-9]+]] = A[8*c4 + lane + 4][12*c3] (load, store) {
// CHECK: lanes 4: S1: [[A]] = ([[A]] / U[12*c3][12*c3]);
// CHECK-NEXT: lanes 4: S1: [[B]] = ([[B]] / U[12*c3][12*c3]);
// ASM: f: 12 vector multiply-adds (ymm), 3 vector loads, 4 broadcasts, 23 instructions{{$}}
void f(int n, double A[restrict n][n], double U[restrict n][n]) {
    for (int m = 0; m < n; m++)
        for (int j = 0; j < n; j++) {
            A[m][j] /= U[j][j];
            for (int k = j + 1; k < n; k++) A[m][k] -= A[m][j] * U[j][k];
        }
}
