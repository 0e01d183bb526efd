// C += A B in single precision.
#include "harness.h"

KERNEL matmul(int n, float C[n][n], float A[n][n], float B[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                C[i][j] += A[i][k] * B[k][j];
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 500);
    size_t count = (size_t)n * n, bytes = count * sizeof(float);
    void *A = allocate(bytes), *B = allocate(bytes), *C = allocate(bytes);
    fill_floats(A, count, 1);
    fill_floats(B, count, 2);
    MEASURE(fill_floats(C, count, 3), matmul(n, C, A, B));
    add_to_hash(C, bytes);
    return report();
}
