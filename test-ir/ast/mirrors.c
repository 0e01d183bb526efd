// Squares that the kernel of a factorisation loads are in a mirror of eight rows of a tile of the depth and a line each, made in each tile of the columns, of the cells in front of that tile; from 385 rows on.
// RUN: %clang --target=x86_64-linux-gnu -O3 -march=znver4 -S -emit-llvm -fno-discard-value-names %s -o /dev/null -mllvm -print-before=loop-distribute -mllvm -filter-print-funcs=f -mllvm -print-module-scope 2> %t.ll
// RUN: %loopwright-opt -passes='print<loopwright-ast>' -disable-output %t.ll 2>&1 | %FileCheck %s

// CHECK: function f
// CHECK: {{^}}mirrors p0[3136] if (385 <= n) {
// CHECK: for (c3 = {{.*}} // tile
// CHECK-NEXT: if (p0{{.*}}) {
// CHECK: for (c4 = 48*c1; c4 <= min(c3 - 1, 48*c1 + 47{{.*}}
// CHECK: p0[8*c4 + 392*c5 + lane - 384*c1 - 3136*c3] = A[c5][8*c4 + lane];
// CHECK: hold lanes 8{{.*}} = mirrored(A[8*c3 + lane][8*c5], p0[8*c5 + 392*lane - 384*c1]) (load) {
// CHECK-NOT: mirrored(r
double sqrt(double);
void f(int n, double A[n][n]) {
    for (int k = 0; k < n; k++) {
        A[k][k] = sqrt(A[k][k]);
        for (int i = k + 1; i < n; i++) A[i][k] /= A[k][k];
        for (int i = k + 1; i < n; i++)
            for (int j = k + 1; j <= i; j++) A[i][j] -= A[i][k] * A[j][k];
    }
}
