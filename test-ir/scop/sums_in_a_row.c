// A loop around a sum is unrolled; every sum is stored in each of its iterations and starts with the last value of the one before. They are sums in one cell, not in memory of their own.
// Where the cell has changed in between, the next sum starts with what it then holds.
//
// RUN: %clang -O3 -S -emit-llvm -fno-discard-value-names -mllvm -print-before=loop-distribute -mllvm -print-module-scope -mllvm -filter-print-funcs=rows %s -o /dev/null 2> %t.ll
// RUN: %loopwright-opt -passes='print<loopwright-scop>' -disable-output %t.ll 2>&1 | %FileCheck %s

// CHECK-LABEL: function rows
// CHECK-NOT: array M
// CHECK: S0 at
// CHECK: out[i0] = const
// CHECK: S1 at
// CHECK: out[i0] = fmuladd(in[i0][i1], filter[0][i1], out[i0])
// CHECK: S2 at
// CHECK: out[i0] = fmuladd(in[i0 + 1][i1], filter[1][i1], out[i0])
// CHECK: S3 at
// CHECK: out[i0] = fmuladd(in[i0 + 2][i1], filter[2][i1], out[i0])
// CHECK-NOT: array M
void rows(int m, int n, float out[m], float in[m + 2][n], float filter[3][n]) {
    for (int y = 0; y < m; y++) {
        out[y] = 0.0f;
        for (int p = 0; p < 3; p++)
            for (int i = 0; i < n; i++) out[y] += in[y + p][i] * filter[p][i];
    }
}
