// A window of 5 x 5 points with clamped borders, written out by LLVM, has 25 pieces: 5 ranges of each counter, of which each gets loops without conditions.
// RUN: %clang --target=x86_64-linux-gnu -O3 -march=znver4 -S -emit-llvm -fno-discard-value-names %s -o /dev/null -mllvm -print-before=loop-distribute -mllvm -filter-print-funcs=f -mllvm -print-module-scope 2> %t.ll
// RUN: %loopwright-opt -passes='print<loopwright-ast>' -disable-output %t.ll 2>&1 | %FileCheck %s

// CHECK: conditions on counters taken out of loops
// CHECK-NOT: if (
// CHECK: for (c0 = 2; c0 <= n - 3; c0 += 1) { // parallel
// CHECK-NOT: if (
// CHECK: for (c1 = 2; c1 <= m - 3; c1 += 1) { // parallel
// CHECK-NOT: if (
static int clamped(int p, int n) { return p < 0 ? 0 : p > n - 1 ? n - 1 : p; }
void f(int n, int m, const float *restrict x, const float *restrict w, float *restrict y) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            float s = 0;
            for (int u = -2; u <= 2; u++)
                for (int v = -2; v <= 2; v++) s += w[(u + 2) * 5 + v + 2] * x[clamped(i + u, n) * m + clamped(j + v, m)];
            y[i * m + j] = s;
        }
}
