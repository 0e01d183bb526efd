// What the first iterations see of earlier ones is in no memory: parts of the statement for them, and one for the others, which reads the cells. A value that no cell
// holds any more gets cells of its own, and what it was before the iteration is copied, since it is used behind the loads that replace it.
//
// RUN: %clang -O3 -ffp-contract=off -S -emit-llvm -fno-discard-value-names -mllvm -print-before=loop-distribute -mllvm -print-module-scope -mllvm -filter-print-funcs=filter %s -o /dev/null 2> %t.filter.ll
// RUN: %loopwright-opt -passes='print<loopwright-scop>' -disable-output %t.filter.ll 2>&1 | %FileCheck %s --check-prefix=FILTER
// RUN: %clang -O3 -ffp-contract=off -S -emit-llvm -fno-discard-value-names -mllvm -print-before=loop-distribute -mllvm -print-module-scope -mllvm -filter-print-funcs=overwritten %s -o /dev/null 2> %t.overwritten.ll
// RUN: %loopwright-opt -passes='print<loopwright-scop>' -disable-output %t.overwritten.ll 2>&1 | %FileCheck %s --check-prefix=OVERWRITTEN

// FILTER-LABEL: function filter
// FILTER-NOT: array M
// FILTER: S0 at [0, 0, 0]
// FILTER: i1 = 0
// FILTER: out[-i1 + n - 1][i0] = ((const * const) + (const * const))
// FILTER: S1 at [0, 0, 1]
// FILTER: i1 = 1
// FILTER: out[-i1 + n - 1][i0] = ((in[-i1 + n][i0] * const) + (const * const))
// FILTER: S2 at [0, 0, 2]
// FILTER: i1 >= 2
// FILTER: out[-i1 + n - 1][i0] = ((in[-i1 + n][i0] * const) + (out[-i1 + n + 1][i0] * const))
// FILTER-NOT: array M
// FILTER: function overwritten
void filter(long n, long m, double out[restrict n][m], double in[restrict n][m]) {
    for (long j = 0; j < m; j++) {
        double x = 3.0, y = 4.0, z = 5.0;
        for (long i = n - 1; i >= 0; i--) {
            out[i][j] = x * 0.5 + z * 0.25;
            x = in[i][j];
            z = y;
            y = out[i][j];
        }
    }
}

// OVERWRITTEN-LABEL: function overwritten
// OVERWRITTEN: [[OLD:[^ ]+]][i0] = [[LAST:last[^ ]*]][i0]
// OVERWRITTEN: [[LAST]][i0] = in[i1][i0]
// OVERWRITTEN: out[i1][i0] = (in[i1][i0] - [[OLD]][i0])
// OVERWRITTEN: in[i1][i0] = const
void overwritten(long n, long m, double out[restrict n][m], double in[restrict n][m]) {
    for (long j = 0; j < m; j++) {
        double last = 3.0;
        for (long i = 0; i < n; i++) {
            double now = in[i][j];
            out[i][j] = now - last;
            in[i][j] = 1.0;
            last = now;
        }
    }
}
