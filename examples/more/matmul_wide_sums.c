// Matrix product of floats with sums of doubles.
#include "../harness.h"

KERNEL matmul_wide_sums(int n, double C[n][n], float A[n][n], float B[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0.0;
            for (int k = 0; k < n; k++) sum += (double)A[i][k] * B[k][j];
            C[i][j] = sum;
        }
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 1000);
    size_t count = (size_t)n * n;
    void *A = allocate(count * sizeof(float)), *B = allocate(count * sizeof(float)), *C = allocate(count * sizeof(double));
    fill_floats(A, count, 1);
    fill_floats(B, count, 2);
    MEASURE(fill(C, count, 3), matmul_wide_sums(n, C, A, B));
    add_to_hash(C, count * sizeof(double));
    return report();
}
