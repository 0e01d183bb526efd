// 20. Subscripts from memory.
#include "shape.h"
KERNEL kernel(int n, int m, double *A, const double *x, const int *at) {
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++) A[i * m + j] += x[at[j]];
}
static void run(int n, int m) {
    double *A = ARRAY(double, (size_t)n * m), *x = ARRAY(double, 64);
    int *at = ARRAY(int, m);
    kernel(n, m, A, x, at);
    show(A, (size_t)n * m * 8), show(x, 64 * 8), show(at, (size_t)m * 4);
}
