// 26. Seidel's iteration over rows of constant length.
#include "shape.h"
KERNEL kernel(int steps, int n, double A[][100]) {
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++) A[i][j] = 0.2 * (A[i][j] + A[i][j - 1] + A[i][j + 1] + A[i - 1][j] + A[i + 1][j]);
}
static void run(int n, int m) {
    double *A = ARRAY(double, (size_t)n * 100);
    kernel(m, n, (double(*)[100])A);
    show(A, (size_t)n * 800);
}
