// 32. A vector that is read backwards.
#include "shape.h"
KERNEL kernel(int n, double A[][100], const double *x, double *y) {
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) y[i] += A[i][j] * x[n - 1 - j];
}
static void run(int n, int m) {
    (void)m;
    double *A = ARRAY(double, (size_t)n * 100), *x = ARRAY(double, n), *y = ARRAY(double, n);
    kernel(n, (double(*)[100])A, x, y);
    show(A, (size_t)n * 800), show(x, (size_t)n * 8), show(y, (size_t)n * 8);
}
