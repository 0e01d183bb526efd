// 12. Counters and sizes of 16 bits.
#include "shape.h"
KERNEL kernel(uint16_t n, uint16_t m, double *A, const double *x) {
    for (uint16_t j = 0; j < m; j++)
        for (uint16_t i = 0; i < n; i++) A[i * m + j] += x[j];
}
static void run(int n, int m) {
    double *A = ARRAY(double, (size_t)n * m), *x = ARRAY(double, m);
    kernel((uint16_t)n, (uint16_t)m, A, x);
    show(A, (size_t)n * m * 8), show(x, (size_t)m * 8);
}
