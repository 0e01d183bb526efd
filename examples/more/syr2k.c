// Symmetric rank-2k update of the lower triangle.
#include "../harness.h"

KERNEL syr2k(int n, int m, double alpha, double beta, double C[n][n], double A[n][m], double B[n][m]) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) C[i][j] *= beta;
        for (int k = 0; k < m; k++)
            for (int j = 0; j <= i; j++) C[i][j] += A[j][k] * alpha * B[i][k] + B[j][k] * alpha * A[i][k];
    }
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 500);
    size_t matrix = (size_t)n * n;
    void *A = allocate(matrix * sizeof(double));
    void *B = allocate(matrix * sizeof(double));
    void *C = allocate(matrix * sizeof(double));
    fill(A, matrix, 1);
    fill(B, matrix, 2);
    MEASURE(fill(C, matrix, 3), syr2k(n, n, 1.5, 1.2, C, A, B));
    add_to_hash(C, matrix * sizeof(double));
    return report();
}
