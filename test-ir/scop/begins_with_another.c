// A loop that begins where the one around it does, at the greatest of two numbers: how many iterations it has depends on where both begin, and where it ends does not.
// RUN: %clang --target=x86_64-linux-gnu -O3 -S -emit-llvm -fno-discard-value-names %s -o /dev/null -mllvm -print-before=loop-distribute -mllvm -filter-print-funcs=f -mllvm -print-module-scope 2> %t.ll
// RUN: %loopwright-opt -passes='print<loopwright-scop>' -disable-output %t.ll 2>&1 | %FileCheck %s

static inline int greater(int a, int b) { return a > b ? a : b; }

// CHECK: function f
// CHECK-NOT: refused
// CHECK: domain [n, b] -> { [i0, i1, i2] : {{.*}}i0 <= n - 1 and i0 >= i1 + 1 and i2 >= 0 and i2 + b >= i0 and i1 >= i2 + 1 }
// CHECK-NEXT: write a[i0][i1]
// CHECK-NEXT: read c[i0][i2]
// CHECK-NEXT: read c[i1][i2]
void f(int n, int b, double a[restrict n][n], double c[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = greater(0, i - b); j < i; j++)
            for (int k = greater(0, i - b); k < j; k++) a[i][j] -= c[i][k] * c[j][k];
}
