// A loop that is all there is has to have 24 iterations, where arrays have to be looked at before it: else that takes longer than it gains.
//
// RUN: %clang -O3 -march=znver4 -S -emit-llvm -fno-discard-value-names -mllvm -print-before=loop-distribute -mllvm -print-module-scope -mllvm -filter-print-funcs=to_neighbours %s -o /dev/null 2> %t.ll
// RUN: %loopwright-opt -passes=loopwright -S %t.ll | %FileCheck %s

// CHECK-LABEL: define {{.*}} @to_neighbours
// CHECK: lw.check:
// CHECK: add i64 -{{2[4-6]}}, %
// CHECK: lw.loop
void to_neighbours(int n, double *a, double *b, double *f) {
    for (int j = 0; j < n; j++) {
        for (int q = 0; q < 3; q++) {
            int x = j + q - 1;
            if (x >= 0 && x < n) a[x] += b[j] * f[q];
        }
    }
}
