// 6. Columns with a leading dimension, as Fortran and BLAS have them.
#include "shape.h"
KERNEL kernel(int n, int m, int lda, double *a, const double *x, double *y) {
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++) y[i] += a[i + j * lda] * x[j];
}
static void run(int n, int m) {
    int lda = n + 3;
    double *a = ARRAY(double, (size_t)lda * m), *x = ARRAY(double, m), *y = ARRAY(double, n);
    kernel(n, m, lda, a, x, y);
    show(a, (size_t)lda * m * 8), show(x, (size_t)m * 8), show(y, (size_t)n * 8);
}
