// A sum that changes in several steps of an iteration lives in the cell that it is stored to in the end; what one condition on data chooses is one statement.
//
// RUN: %clang -O3 -ffp-contract=off -S -emit-llvm -fno-discard-value-names -mllvm -print-before=loop-distribute -mllvm -print-module-scope -mllvm -filter-print-funcs=filter %s -o /dev/null 2> %t.filter.ll
// RUN: %loopwright-opt -passes='print<loopwright-scop>' -disable-output %t.filter.ll 2>&1 | %FileCheck %s --check-prefix=FILTER
// RUN: %clang -O3 -ffp-contract=off -S -emit-llvm -fno-discard-value-names -mllvm -print-before=loop-distribute -mllvm -print-module-scope -mllvm -filter-print-funcs=chosen %s -o /dev/null 2> %t.chosen.ll
// RUN: %loopwright-opt -passes='print<loopwright-scop>' -disable-output %t.chosen.ll 2>&1 | %FileCheck %s --check-prefix=CHOSEN
// RUN: %clang -O3 -ffp-contract=off -S -emit-llvm -fno-discard-value-names -mllvm -print-before=loop-distribute -mllvm -print-module-scope -mllvm -filter-print-funcs=not_there %s -o /dev/null 2> %t.not_there.ll
// RUN: %loopwright-opt -passes='print<loopwright-scop>' -disable-output %t.not_there.ll 2>&1 | %FileCheck %s --check-prefix=NOT_THERE
// RUN: %clang -O3 -ffp-contract=off -S -emit-llvm -fno-discard-value-names -mllvm -print-before=loop-distribute -mllvm -print-module-scope -mllvm -filter-print-funcs=mean %s -o /dev/null 2> %t.mean.ll
// RUN: %loopwright-opt -passes='print<loopwright-scop>' -disable-output %t.mean.ll 2>&1 | %FileCheck %s --check-prefix=MEAN

// FILTER-LABEL: function filter
// FILTER: S0 at [0, 0, 0]
// FILTER: o[i0][i1] = const
// FILTER: S1 at [0, 0, 1, 0]
// FILTER-NEXT: i1 >= 2
// FILTER: o[i0][i1] = (o[i0][i1] + (x[i2][i1 - 2] * w[i2][0]))
// FILTER: S2 at [0, 0, 1, 1]
// FILTER-NEXT: i1 >= 1
// FILTER: S3 at [0, 0, 1, 2]
// FILTER: S4 at [0, 0, 1, 3]
// FILTER: S5 at [0, 0, 1, 4]
// FILTER: S6 at [0, 0, 2]
// FILTER: o[i0][i1] = (o[i0][i1] * const)
void filter(int n, double o[restrict n][n], double x[restrict n][n], double w[restrict n][5]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double s = 0;
            for (int d = 0; d < n; d++)
                for (int u = -2; u <= 2; u++)
                    if (j + u >= 0 && j + u < n) s += x[d][j + u] * w[d][u + 2];
            o[i][j] = s * 0.5;
        }
}

// CHOSEN-LABEL: function chosen
// CHOSEN: S0 at
// CHOSEN: S2 at
// CHOSEN-NOT: may
// CHOSEN: t[i0][i1 + 1] = ({{.*}} ? {{.*}} : ({{.*}} ? {{.*}} : {{.*}}))
// CHOSEN-NOT: S3 at
// CHOSEN: function not_there
void chosen(int n, int t[restrict n + 1][n + 1], char *restrict a, char *restrict b) {
    for (int i = 0; i <= n; i++)
        for (int j = 0; j <= n; j++) {
            if (i == 0 || j == 0)
                t[i][j] = 0;
            else if (a[i - 1] == b[j - 1])
                t[i][j] = t[i - 1][j - 1] + 1;
            else if (t[i - 1][j] > t[i][j - 1])
                t[i][j] = t[i - 1][j];
            else
                t[i][j] = t[i][j - 1];
        }
}

// Nobody knows whether there is something behind the pointer, or behind the row.
// NOT_THERE-LABEL: function not_there
// NOT_THERE: may write
// NOT_THERE: may read
void not_there(int n, int o[restrict n][n], int *restrict q, char *restrict p) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            if (p[j])
                o[i][j] = q[j];
            else
                o[i][j] = i;
        }
}

// What is stored is of another type: cells of our own.
// MEAN-LABEL: function mean
// MEAN: array [[SUM:[_a-z0-9]+]][][stride {{[24]}}*n] of i{{16|32}}
// MEAN: S0 at [0, 0, 0]
// MEAN: [[SUM]][i0][i1] = 0
// MEAN: i0 >= 1 and i0 <= n - 1 and i1 >= 1 and i1 <= n - 1
// MEAN: [[SUM]][i0][i1] = zext(x[i0 - 1][i1 - 1])
// MEAN: [[SUM]][i0][i1] = ([[SUM]][i0][i1] + zext(x[i0 - 1][i1]))
// MEAN: [[SUM]][i0][i1] = ([[SUM]][i0][i1] + zext(x[i0 + 1][i1 + 1]))
// MEAN: o[i0][i1] = trunc(([[SUM]][i0][i1] / 9))
void mean(int n, unsigned char o[restrict n][n], unsigned char x[restrict n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            int s = 0;
            for (int u = -1; u <= 1; u++)
                for (int v = -1; v <= 1; v++)
                    if (i + u >= 0 && i + u < n && j + v >= 0 && j + v < n) s += x[i + u][j + v];
            o[i][j] = s / 9;
        }
}
