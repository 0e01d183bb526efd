// The least of terms, stored under a condition: where the cell has been stored to before, vectors and registers for it. Elsewhere the store stays under its condition.
// RUN: %loopwright-clang -target x86_64-linux-gnu -O3 -march=x86-64-v4 -Rpass=loopwright -Rpass-missed=loopwright -S %s -o %t.s 2>&1 | %FileCheck %s
// RUN: %FileCheck %s --check-prefix=ASM --input-file=%t.s

// CHECK: kept_cells.c:[[#@LINE+5]]:5: remark: interchanged loops{{.*}}; predicted
// ASM-LABEL: {{^}}chain:
// ASM: v{{min|blendm|cmp..}}pd {{.*}}%{{y|z}}mm
// ASM: .Lfunc_end
void chain(int n, const double *restrict e, double c[restrict n][n]) {
    for (int i = n - 1; i >= 0; i--)
        for (int j = i + 1; j < n; j++) {
            c[i][j] = 1e300;
            for (int k = i; k < j; k++) {
                double term = c[i][k] + c[k + 1][j] + e[k];
                if (term < c[i][j]) c[i][j] = term;
            }
        }
}

// CHECK-NOT: remark: interchanged
// CHECK: kept_cells.c:[[#@LINE+5]]:5: remark: left the loops as they are
// ASM-LABEL: {{^}}ways:
// ASM-NOT: v{{min|blendm}}pd {{.*}}%{{y|z}}mm
// ASM: .Lfunc_end
void ways(int n, double c[restrict n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                if (c[i][k] + c[k][j] < c[i][j]) c[i][j] = c[i][k] + c[k][j];
}
