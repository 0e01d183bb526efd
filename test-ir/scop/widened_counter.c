// LLVM widens a counter of 32 bits and leaves the comparison of its low half: the loop still runs a number of times that is known.
//
// RUN: %clang -O3 -S -emit-llvm -fno-discard-value-names -mllvm -print-before=loop-distribute -mllvm -print-module-scope -mllvm -filter-print-funcs=intervals %s -o /dev/null 2> %t.intervals.ll
// RUN: %loopwright-opt -passes='print<loopwright-scop>' -disable-output %t.intervals.ll 2>&1 | %FileCheck %s --check-prefix=INTERVALS

// INTERVALS-LABEL: function intervals
// INTERVALS-NOT: refused
// INTERVALS: S0 at [0, 0, 0, 0]
// INTERVALS: domain [n] -> { [i0, i1, i2] : i0 <= n - 1 and i0 >= i1 + 1 and i2 >= 0 and i1 >= i2 + 1 }
// INTERVALS: write table[-i0 + n - 1][-i0 + i1 + n]
void intervals(int n, int table[n][n]) {
    for (int i = n - 1; i >= 0; i--)
        for (int j = i + 1; j < n; j++)
            for (int k = i + 1; k < j; k++) table[i][j] = (table[i][j] ^ table[i][k]) + table[k + 1][j];
}
