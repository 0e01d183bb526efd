// 8. while loops with a counter.
#include "shape.h"
KERNEL kernel(int n, int m, double *A, const double *x) {
    int j = 0;
    while (j < m) {
        int i = 0;
        while (i < n) {
            A[i * m + j] += x[j];
            i++;
        }
        j++;
    }
}
static void run(int n, int m) {
    double *A = ARRAY(double, (size_t)n * m), *x = ARRAY(double, m);
    kernel(n, m, A, x);
    show(A, (size_t)n * m * 8), show(x, (size_t)m * 8);
}
