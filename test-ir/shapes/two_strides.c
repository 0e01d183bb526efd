// 18. A view with a symbolic stride in both dimensions.
#include "shape.h"
KERNEL kernel(int n, int m, long rs, long cs, double *A, const double *x) {
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++) A[i * rs + j * cs] += x[j];
}
static void run(int n, int m) {
    size_t size = (size_t)(m * 2 + 1) * n * 2;
    for (int turn = 0; turn < 3; turn++) {
        double *A = ARRAY(double, size + 2 * n), *x = ARRAY(double, m);
        if (turn == 0) kernel(n, m, m * 2 + 1, 2, A, x);
        else if (turn == 1) kernel(n, m, 1, n, A, x);
        else kernel(n, m, 0, 1, A, x);
        show(A, (size + 2 * n) * 8), show(x, (size_t)m * 8);
    }
}
