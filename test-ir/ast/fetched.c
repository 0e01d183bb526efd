// Lines that are asked for ahead: of the operand of a solve that stays where it is, by tiles of rows, a part each of what the next tile of columns reads; and of what a product copies.
// RUN: %clang --target=x86_64-linux-gnu -O3 -march=znver3 -S -emit-llvm -fno-discard-value-names %s -o /dev/null -mllvm -print-before=loop-distribute -mllvm -filter-print-funcs=solve -mllvm -print-module-scope 2> %t.ll
// RUN: %loopwright-opt -passes='print<loopwright-ast>' -disable-output %t.ll 2>&1 | %FileCheck %s --check-prefix=SOLVE
// RUN: %clang --target=x86_64-linux-gnu -O3 -march=znver3 -S -emit-llvm -fno-discard-value-names %s -o /dev/null -mllvm -print-before=loop-distribute -mllvm -filter-print-funcs=product -mllvm -print-module-scope 2> %t.ll
// RUN: %loopwright-opt -passes='print<loopwright-ast>' -disable-output %t.ll 2>&1 | %FileCheck %s --check-prefix=PRODUCT
// RUN: %loopwright-clang --target=x86_64-linux-gnu -O3 -march=znver3 -S %s -o - | %FileCheck %s --check-prefix=ASM

// Both slivers of a tile are in the first level: 192 iterations of two lines and four numbers each. 42 tiles of rows share in 192 rows of the next sliver, 12 columns from column 12 c3 + 12 on.
// SOLVE: register tile 4x12
// SOLVE: for (c1 = 0; c1 <= min(16*c0 + 15, floord(n - 1, 192)); c1 += 1) { // tile
// SOLVE: for (c4 = 21*c2; c4 <= min(21*c2 + 20, floord(n - 1, 8)); c4 += 1) { // tile
// SOLVE: for (c5 = 2*c4; c5 <= min(2*c4 + 1, floord(n - 1, 4)); c5 += 1) { // tile
// SOLVE-NEXT: if (342 <= n && {{.*}}) {
// SOLVE-NEXT: for (c6 = 192*c1 + 5*c5 - 210*c2; c6 <= 192*c1 + 5*c5 - 210*c2 + 4; c6 += 1) {
// SOLVE-NEXT: fetch U[c6][12*c3 + 23];
// SOLVE-NEXT: fetch U[c6][12*c3 + 15];
// SOLVE-NEXT: }
// SOLVE-NEXT: }
// SOLVE-NOT: fetch U
// ASM-LABEL: solve:
// ASM: prefetcht1
void solve(int n, double A[restrict n][n], double U[restrict n][n]) {
    for (int m = 0; m < n; m++)
        for (int j = 0; j < n; j++) {
            A[m][j] /= U[j][j];
            for (int k = j + 1; k < n; k++) A[m][k] -= A[m][j] * U[j][k];
        }
}

// A line for each row of eight columns.
// PRODUCT: lanes 4, < n - 8*c2: p1[{{.*}}] = B[c3][8*c2 + lane];
// PRODUCT-NEXT: lanes 4, < n - 8*c2 - 4: p1[{{.*}}] = B[c3][8*c2 + lane + 4];
// PRODUCT-NEXT: fetch B[c3][8*c2 + 15];
// PRODUCT-NEXT: }
// PRODUCT-NOT: fetch {{[AB]}}
// ASM-LABEL: product:
// ASM: prefetcht1
void product(int n, double C[restrict n][n], double A[restrict n][n], double B[restrict n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++) C[i][j] += A[i][k] * B[k][j];
}
