// Product of matrices of complex numbers as C has them, which are computed anew where they are NaN.
#include "../harness.h"

KERNEL complex_matmul(int n, double _Complex C[n][n], double _Complex A[n][n], double _Complex B[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++) C[i][j] += A[i][k] * B[k][j];
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 500);
    size_t count = 2 * (size_t)n * n, bytes = count * sizeof(double);
    void *A = allocate(bytes), *B = allocate(bytes), *C = allocate(bytes);
    fill(A, count, 1);
    fill(B, count, 2);
    MEASURE(fill(C, count, 3), complex_matmul(n, C, A, B));
    add_to_hash(C, bytes);
    return report();
}
