// What registers and counters of other loops decide for all of an innermost loop is asked in front of it: behind the pass nothing takes it out, and masks would be made of it.
//
// RUN: %clang -O3 -S -emit-llvm -fno-discard-value-names -mllvm -print-before=loop-distribute -mllvm -print-module-scope -mllvm -filter-print-funcs=rows %s -o /dev/null 2> %t.ll
// RUN: %loopwright-opt -passes='loopwright<policy=force>' -S %t.ll | %FileCheck %s

// CHECK-LABEL: @rows(
// CHECK: br i1 {{.*}}, label %[[DECIDED:lw.decided[0-9]*]],
// CHECK: [[DECIDED]]:
void rows(int n, int m, double C[restrict n][m], int A[restrict n]) {
    for (int i = 0; i < n; i++)
        if (A[i] > i)
            for (int j = 0; j < m; j++) C[i][j] += i;
}
