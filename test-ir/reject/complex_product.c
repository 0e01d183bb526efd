// Products of complex numbers of which nothing tells before the loops whether they are NaN: the factors change, or are computed, or the matrix is read once.
//
// RUN: %loopwright-clang -O3 -mllvm -loopwright-policy=force -Rpass=loopwright -Rpass-missed=loopwright -S %s -o /dev/null 2>&1 | %FileCheck %s

// CHECK-NOT: predicted
// CHECK: complex_product.c:[[#@LINE+2]]:{{.*}}cannot transform the loops: a product of complex numbers is computed anew if it is NaN, which the factors do not tell before the loop starts: the loops may change them before
void power(int n, int t, double _Complex *restrict x, double _Complex *restrict a) {
    for (int s = 0; s < t; s++)
        for (int i = 0; i < n; i++) x[i] = x[i] * a[s];
}

// CHECK: complex_product.c:[[#@LINE+2]]:{{.*}}cannot transform the loops: a product of complex numbers is computed anew if it is NaN, which the factors do not tell before the loop starts: looking at them would take as long as the loops
void columns(int n, double _Complex y[restrict n], double _Complex a[restrict n][n], double _Complex x[restrict n]) {
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) y[i] += a[j][i] * x[j];
}

// CHECK: complex_product.c:[[#@LINE+2]]:{{.*}}cannot transform the loops: a product of complex numbers is computed anew if it is NaN, which the factors do not tell before the loop starts: the loops compute them
void quotients(int n, int m, double _Complex c[restrict n][m], double d[restrict n], double _Complex b[restrict m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) c[i][j] += (1 / d[i]) * b[j] * (double _Complex){0, 1 / d[i]};
}
