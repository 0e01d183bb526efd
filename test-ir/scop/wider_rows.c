// Rows of n + 2, walked along diagonals: steps of 8 n + 16 and of 8 n + 24 bytes, of which the one is that of rows.
//
// RUN: %clang -O3 -ffp-contract=off -S -emit-llvm -fno-discard-value-names -mllvm -print-before=loop-distribute -mllvm -print-module-scope -mllvm -filter-print-funcs=trees %s -o /dev/null 2> %t.trees.ll
// RUN: %loopwright-opt -passes='print<loopwright-scop>' -disable-output %t.trees.ll 2>&1 | %FileCheck %s --check-prefix=TREES

// TREES-LABEL: function trees
// TREES-NOT: refused: Shape
// TREES: array c[][stride 8*n + 16] of double
// TREES: write c[i1 + 1][i0 + i1 + 2]
// TREES: read c[i1 + 1][i1 + i2]
// TREES: read c[i1 + i2 + 2][i0 + i1 + 2]
void trees(int n, double c[n + 2][n + 2], double w[n + 2][n + 2]) {
    for (int l = 2; l <= n; l++)
        for (int i = 1; i <= n - l + 1; i++) {
            int j = i + l - 1;
            double least = 1e30;
            for (int r = i; r <= j; r++)
                if (c[i][r - 1] + c[r + 1][j] < least) least = c[i][r - 1] + c[r + 1][j];
            c[i][j] = least + w[i][j];
        }
}
