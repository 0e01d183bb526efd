// 9. Loops that count down.
#include "shape.h"
KERNEL kernel(int n, int m, double *A, const double *x) {
    for (int j = m - 1; j >= 0; j--)
        for (int i = n - 1; i >= 0; i--) A[i * m + j] += x[j];
}
static void run(int n, int m) {
    double *A = ARRAY(double, (size_t)n * m), *x = ARRAY(double, m);
    kernel(n, m, A, x);
    show(A, (size_t)n * m * 8), show(x, (size_t)m * 8);
}
