// 38. A choice by data of the value that is stored.
#include "shape.h"
KERNEL kernel(int n, int m, double *A, const double *x) {
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++) A[i * m + j] = A[i * m + j] > x[j] ? A[i * m + j] - x[j] : x[j];
}
static void run(int n, int m) {
    double *A = ARRAY(double, (size_t)n * m), *x = ARRAY(double, m);
    kernel(n, m, A, x);
    show(A, (size_t)n * m * 8), show(x, (size_t)m * 8);
}
