// C += A B, loop order ijk, every array declared restrict.
#include "harness.h"

KERNEL matmul(int n, double C[restrict n][n], double A[restrict n][n], double B[restrict n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                C[i][j] += A[i][k] * B[k][j];
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 500);
    size_t count = (size_t)n * n, bytes = count * sizeof(double);
    void *A = allocate(bytes), *B = allocate(bytes), *C = allocate(bytes);
    fill(A, count, 1);
    fill(B, count, 2);
    MEASURE(fill(C, count, 3), matmul(n, C, A, B));
    add_to_hash(C, bytes);
    return report();
}
