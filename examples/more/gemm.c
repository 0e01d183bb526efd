// C = beta C + alpha A B, one row of C after the other.
#include "../harness.h"

KERNEL gemm(int n, int m, int p, double alpha, double beta, double C[n][m], double A[n][p], double B[p][m]) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++) C[i][j] *= beta;
        for (int k = 0; k < p; k++)
            for (int j = 0; j < m; j++) C[i][j] += alpha * A[i][k] * B[k][j];
    }
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 1000);
    size_t matrix = (size_t)n * n;
    void *A = allocate(matrix * sizeof(double));
    void *B = allocate(matrix * sizeof(double));
    void *C = allocate(matrix * sizeof(double));
    fill(A, matrix, 1);
    fill(B, matrix, 2);
    MEASURE(fill(C, matrix, 3), gemm(n, n, n, 1.5, 1.2, C, A, B));
    add_to_hash(C, matrix * sizeof(double));
    return report();
}
