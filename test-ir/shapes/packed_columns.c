// 55. A symmetric matrix packed by columns: i + j * (2 * n - j - 1) / 2
#include "shape.h"
KERNEL kernel(int n, int m, const double *X, double *A) {
    for (int k = 0; k < m; k++)
        for (int j = 0; j < n; j++)
            for (int i = j; i < n; i++) A[i + j * (2 * n - j - 1) / 2] += X[k * n + i] * X[k * n + j];
}
static void run(int n, int m) {
    size_t size = (size_t)n * (n + 1) / 2;
    double *X = ARRAY(double, (size_t)n *m), *A = ARRAY(double, size);
    kernel(n, m, X, A);
    show(X, (size_t)n * m * 8), show(A, size * 8);
}
