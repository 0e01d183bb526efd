// 22. Loops whose step is an argument.
#include "shape.h"
KERNEL kernel(int n, int m, int step, double *A, const double *x) {
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i += step) A[i * m + j] += x[j];
}
static void run(int n, int m) {
    for (int step = 1; step < 5; step++) {
        double *A = ARRAY(double, (size_t)n * m), *x = ARRAY(double, m);
        kernel(n, m, step, A, x);
        show(A, (size_t)n * m * 8), show(x, (size_t)m * 8);
    }
}
