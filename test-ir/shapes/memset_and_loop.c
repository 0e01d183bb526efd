// 31. memset beside loops.
#include "shape.h"
KERNEL kernel(int n, double C[][100], double A[][100], double B[][100]) {
    for (int i = 0; i < n; i++) {
        memset(C[i], 0, n * sizeof(double));
        for (int k = 0; k < n; k++)
            for (int j = 0; j < n; j++) C[i][j] += A[i][k] * B[k][j];
    }
}
static void run(int n, int m) {
    (void)m;
    double *C = ARRAY(double, (size_t)n * 100), *A = ARRAY(double, (size_t)n * 100), *B = ARRAY(double, (size_t)n * 100);
    kernel(n, (double(*)[100])C, (double(*)[100])A, (double(*)[100])B);
    show(C, (size_t)n * 800), show(A, (size_t)n * 800), show(B, (size_t)n * 800);
}
