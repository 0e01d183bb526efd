// C = A B on flat arrays with int sizes, a reduction in a local variable.
#include "harness.h"

KERNEL matmul(int n, int m, int p, double *C, const double *A, const double *B) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            double sum = 0.0;
            for (int k = 0; k < p; k++) sum += A[i * p + k] * B[k * m + j];
            C[i * m + j] = sum;
        }
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 500);
    size_t count = (size_t)n * n, bytes = count * sizeof(double);
    void *A = allocate(bytes), *B = allocate(bytes), *C = allocate(bytes);
    fill(A, count, 1);
    fill(B, count, 2);
    MEASURE(fill(C, count, 3), matmul(n, n, n, C, A, B));
    add_to_hash(C, bytes);
    return report();
}
