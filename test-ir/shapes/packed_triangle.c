// 24. A triangle packed by rows: i * (i + 1) / 2 + j.
#include "shape.h"
KERNEL kernel(int n, int m, double *L, const double *x, double *y) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) L[i * (i + 1) / 2 + j] += x[i] * x[j];
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) y[i] += L[i * (i + 1) / 2 + j] * x[j];
}
static void run(int n, int m) {
    size_t size = (size_t)n * (n + 1) / 2;
    double *L = ARRAY(double, size), *x = ARRAY(double, n), *y = ARRAY(double, n);
    kernel(n, m, L, x, y);
    show(L, size * 8), show(x, (size_t)n * 8), show(y, (size_t)n * 8);
}
