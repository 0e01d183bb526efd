// Ten arrays that may meet make more than forty pairs to compare: not too many.
// RUN: %loopwright-clang -O3 -march=znver5 -c %s -o %t.o -Rpass=loopwright -Rpass-missed=loopwright 2>&1 | %FileCheck %s

// CHECK: many_arrays.c:[[#@LINE+3]]:{{.*}}interchanged loops
#define AT [i * n + j]
void columns(int n, double *a, double *b, double *c, double *d, double *e, double *f, double *g, double *h, double *p, double *q) {
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            a AT += p AT * q AT;
            b AT += a AT * p AT;
            c AT += b AT * q AT;
            d AT += c AT * p AT;
            e AT += d AT * q AT;
            f AT += e AT * p AT;
            g AT += f AT * q AT;
            h AT += g AT * p AT;
        }
}
