// C = beta C + alpha A B with A symmetric, its lower triangle stored.
#include "../harness.h"

KERNEL symm(int m, int n, double alpha, double beta, double C[m][n], double A[m][m], double B[m][n]) {
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0.0;
            for (int k = 0; k < i; k++) {
                C[k][j] += alpha * B[i][j] * A[i][k];
                sum += B[k][j] * A[i][k];
            }
            C[i][j] = beta * C[i][j] + alpha * B[i][j] * A[i][i] + alpha * sum;
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
    MEASURE(fill(C, matrix, 3), symm(n, n, 1.5, 1.2, C, A, B));
    add_to_hash(C, matrix * sizeof(double));
    return report();
}
