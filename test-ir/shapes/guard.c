// 28. A branch on the counters.
#include "shape.h"
KERNEL kernel(int n, double A[][100], const double *x) {
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            if (i > j) A[i][j] += x[j];
            else A[i][j] *= 0.5;
}
static void run(int n, int m) {
    (void)m;
    double *A = ARRAY(double, (size_t)n * 100), *x = ARRAY(double, n);
    kernel(n, (double(*)[100])A, x);
    show(A, (size_t)n * 800), show(x, (size_t)n * 8);
}
