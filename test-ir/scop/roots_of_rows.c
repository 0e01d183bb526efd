// What comes of a call that may set errno, and is used in more loops than it is computed in, has memory of its own, stored behind those loops or not: LLVM takes no such call out of a loop.
//
// RUN: %clang -O3 -fmath-errno -S -emit-llvm -fno-discard-value-names -mllvm -print-before=loop-distribute -mllvm -print-module-scope -mllvm -filter-print-funcs=norm %s -o /dev/null 2> %t.ll
// RUN: %loopwright-opt -passes='print<loopwright-scop>' -disable-output %t.ll 2>&1 | %FileCheck %s
#include <math.h>

// CHECK-LABEL: function norm
// CHECK: array roots
// CHECK: array [[ROOT:div[a-z0-9_.]*]][] of float
// CHECK: [[ROOT]][i0] = (const / sqrtf(
// CHECK: y[i0][i1] = ([[ROOT]][i0] * x[i0][i1])
void norm(int n, int m, float y[restrict n][m], float x[restrict n][m], float roots[restrict n]) {
    for (int i = 0; i < n; i++) {
        float sum = 0;
        for (int j = 0; j < m; j++) sum += x[i][j] * x[i][j];
        float scale = 1 / sqrtf(sum / m + 1e-5f);
        for (int j = 0; j < m; j++) y[i][j] = scale * x[i][j];
        roots[i] = scale;
    }
}
