// C += A B, loop order kji.
#include "harness.h"

KERNEL matmul(int n, double C[n][n], double A[n][n], double B[n][n]) {
    for (int k = 0; k < n; k++)
        for (int j = 0; j < n; j++)
            for (int i = 0; i < n; i++)
                C[i][j] += A[i][k] * B[k][j];
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 500);
    size_t count = (size_t)n * n;
    void *A = allocate(count * sizeof(double)), *B = allocate(count * sizeof(double)), *C = allocate(count * sizeof(double));
    fill(A, count, 1);
    fill(B, count, 2);
    MEASURE(fill(C, count, 3), matmul(n, C, A, B));
    add_to_hash(C, count * sizeof(double));
    return report();
}
