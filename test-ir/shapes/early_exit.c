// 19. A loop that is left when a sum gets too large.
#include "shape.h"
KERNEL kernel(int n, int m, double limit, double *A, const double *x) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            if (A[i * m + j] > limit) break;
            A[i * m + j] += x[j];
        }
}
static void run(int n, int m) {
    double *A = ARRAY(double, (size_t)n * m), *x = ARRAY(double, m);
    kernel(n, m, 20.0, A, x);
    show(A, (size_t)n * m * 8), show(x, (size_t)m * 8);
}
