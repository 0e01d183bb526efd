// 29. Cholesky's factorisation.
// FLAGS: -fno-math-errno -lm
#include "shape.h"
#include <math.h>
KERNEL kernel(int n, double A[][100]) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            for (int k = 0; k < j; k++) A[i][j] -= A[i][k] * A[j][k];
            A[i][j] /= A[j][j];
        }
        for (int k = 0; k < i; k++) A[i][i] -= A[i][k] * A[i][k];
        A[i][i] = sqrt(A[i][i]);
    }
}
static void run(int n, int m) {
    (void)m;
    double *A = ARRAY(double, (size_t)n * 100);
    for (int i = 0; i < n; i++) A[i * 100 + i] += 2000.0 * n;
    kernel(n, (double(*)[100])A);
    show(A, (size_t)n * 800);
}
