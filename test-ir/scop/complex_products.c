// Products of complex numbers: blocks that compute them anew are no part of the region, and that they are not reached is looked at before it, for all parts of a number at once, for each cell once (x, of which two loops meet), and
// for numbers that are no cells.
//
// DEFINE: %{ir} = %clang -O3 -S -emit-llvm -fno-discard-value-names -mllvm -print-before=loop-distribute -mllvm -print-module-scope %s -o /dev/null -mllvm
// RUN: %{ir} -filter-print-funcs=product 2> %t.ll
// RUN: %loopwright-opt -passes='print<loopwright-scop>' -disable-output %t.ll 2>&1 | %FileCheck %s --check-prefix=PRODUCT
// RUN: %{ir} -filter-print-funcs=filter 2> %t.ll
// RUN: %loopwright-opt -passes='print<loopwright-scop>' -disable-output %t.ll 2>&1 | %FileCheck %s --check-prefix=FILTER
#include <stddef.h>

// PRODUCT: function product
// PRODUCT: check that no a is NaN or too large, 2 cells at a time in 2 loops
// PRODUCT: check that no b is NaN or too large, 2 cells at a time in 2 loops
// PRODUCT: check that factor{{.*}} is not NaN or too large
// PRODUCT: check that factor{{.*}} is not NaN or too large
// PRODUCT: c[i0][2i2] = (((
// PRODUCT: c[i0][2i2 + 1] = (((
// The product of factor and a does not change in the innermost loop, of which LLVM has made two.
void product(int n, double _Complex factor, double _Complex c[restrict n][n], double _Complex a[restrict n][n], double _Complex b[restrict n][n]) {
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            for (int j = 0; j < n; j++) c[i][j] += factor * a[i][k] * b[k][j];
}

// FILTER: function filter
// FILTER: check that no h is NaN or too large, 2 cells at a time in 1 loops
// FILTER: check that no x is NaN or too large, 2 cells at a time in 1 loops
void filter(int n, int l, double _Complex *restrict y, const double _Complex *restrict x, const double _Complex *restrict h) {
    for (int i = 0; i < n; i++)
        for (int k = 0; k < l; k++) y[i] += h[k] * x[i + k];
}
