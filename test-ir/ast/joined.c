// A solve by columns: the corner of a tile divides the sums in the registers of the kernel that has made them, also where that has nothing to add.
// RUN: %clang --target=x86_64-linux-gnu -O3 -march=znver3 -S -emit-llvm -fno-discard-value-names %s -o /dev/null -mllvm -print-before=loop-distribute -mllvm -filter-print-funcs=f -mllvm -print-module-scope 2> %t.ll
// RUN: %loopwright-opt -passes='print<loopwright-ast>' -disable-output %t.ll 2>&1 | %FileCheck %s
// RUN: %loopwright-clang --target=x86_64-linux-gnu -O3 -march=znver3 -S %s -o %t.s
// RUN: %inner-loops %t.s | %FileCheck %s --check-prefix=ASM

// CHECK: register tile 4x12
// CHECK: if (12*c3 + 12 <= n && 4*c4 <= 192*c1 + 188 && 4*c4 + 4 <= n) {
// CHECK-NEXT: hold lanes 4: r0 = A[4*c4][12*c3 + lane] (load, store, fetch the next) {
// CHECK: hold lanes 4: r11 = A[4*c4 + 3][12*c3 + lane + 8] (load, store, fetch the next) {
// CHECK-NEXT: if (48*c1 + 1 <= c4) {
// CHECK-NEXT: for (c5 = 192*c1; c5 <= 4*c4 - 1; c5 += 1) {
// CHECK-COUNT-12: fmuladd(-A[c5]
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: lanes 4: S1: r0 = (r0 / U[4*c4][4*c4]);
// CHECK-NEXT: lanes 4: S1: r4 = (r4 / U[4*c4][4*c4]);
// CHECK-NEXT: lanes 4: S1: r8 = (r8 / U[4*c4][4*c4]);
// CHECK-NEXT: lanes 4: S0: r1 = fmuladd(-r0, U[4*c4 + 1][4*c4], r1);
// CHECK: lanes 4: S1: r11 = (r11 / U[4*c4 + 3][4*c4 + 3]);
// CHECK-NEXT: }
// ASM: f: 12 vector multiply-adds (ymm), 3 vector loads, 4 broadcasts, 23 instructions{{$}}
void f(int n, double A[restrict n][n], double U[restrict n][n]) {
    for (int m = 0; m < n; m++)
        for (int j = 0; j < n; j++) {
            A[j][m] /= U[j][j];
            for (int k = j + 1; k < n; k++) A[k][m] -= A[j][m] * U[k][j];
        }
}
