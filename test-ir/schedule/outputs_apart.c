// Four sums that were written out, each with a row of factors of its own: what they read lies `n` apart and never meets, so that their loops begin together, and run as one.
//
// RUN: %clang -O3 -march=znver4 -S -emit-llvm -fno-discard-value-names -mllvm -print-before=loop-distribute -mllvm -print-module-scope -mllvm -filter-print-funcs=outputs %s -o /dev/null 2> %t.ll
// RUN: %loopwright-opt -passes='print<loopwright-ast>' -disable-output %t.ll 2>&1 | %FileCheck %s

// CHECK: fused 4 nests
// CHECK: for (c0 = 0; c0 <= n - 1; c0 += 1)
// CHECK: for (c1 = 0; c1 <= w - 1; c1 += 1)
// CHECK-NEXT: S1: out[c1] = fmuladd(in[c0][3*c1]
// CHECK-NEXT: S2: out[c1 + w] = fmuladd(in[c0][3*c1]
void outputs(long w, long m, long n, double *restrict out, double *restrict in, double *restrict f) {
    for (int o = 0; o < 4; o++) {
        for (int j = 0; j < w; j++) {
            double s = 0;
            for (int c = 0; c < n; c++) s += in[c * m + j * 3] * f[o * n + c];
            out[o * w + j] = s;
        }
    }
}
