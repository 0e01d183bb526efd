// y = transpose(A) x.
#include "harness.h"

KERNEL gemv_t(int n, int m, double y[m], double A[n][m], double x[n]) {
    for (int j = 0; j < m; j++) {
        y[j] = 0.0;
        for (int i = 0; i < n; i++) y[j] += A[i][j] * x[i];
    }
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 2500);
    void *A = allocate((size_t)n * n * sizeof(double)), *x = allocate(n * sizeof(double)), *y = allocate(n * sizeof(double));
    fill(A, (size_t)n * n, 1);
    fill(x, n, 2);
    MEASURE(fill(y, n, 3), gemv_t(n, n, y, A, x));
    add_to_hash(y, n * sizeof(double));
    return report();
}
