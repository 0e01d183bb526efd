// A sum without the diagonal: an update where j < i and one where j > i, of a cell that is left alone between them.
//
// RUN: %clang -O3 -ffp-contract=off -S -emit-llvm -fno-discard-value-names -mllvm -print-before=loop-distribute -mllvm -print-module-scope -mllvm -filter-print-funcs=f %s -o /dev/null 2> %t.ll
// RUN: %loopwright-opt -passes='print<loopwright-scop>' -disable-output %t.ll 2>&1 | %FileCheck %s

// CHECK-LABEL: function f
// CHECK: S1 at [0, 1, 0]
// CHECK-NEXT: i0 >= i1 + 1
// CHECK-NEXT: write y[i0]
// CHECK: y[i0] = (y[i0] + (A[i0][i1] * x[i1]))
// CHECK-NEXT: S2 at [0, 1, 1]
// CHECK-NEXT: i1 >= i0 + 1
// CHECK-NEXT: write y[i0]
// CHECK: y[i0] = (y[i0] + (A[i0][i1] * x[i1]))
void f(long n, double A[restrict n][n], double *restrict x, double *restrict y) {
    for (long i = 0; i < n; i++) {
        double s = 0.0;
        for (long j = 0; j < n; j++)
            if (j != i) s += A[i][j] * x[j];
        y[i] = s;
    }
}
