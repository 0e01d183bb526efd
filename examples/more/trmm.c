// B = alpha transpose(A) B with A lower triangular with unit diagonal, in place.
#include "../harness.h"

KERNEL trmm(int m, int n, double alpha, double A[m][m], double B[m][n]) {
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            for (int k = i + 1; k < m; k++) B[i][j] += A[k][i] * B[k][j];
            B[i][j] = alpha * B[i][j];
        }
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 600);
    size_t matrix = (size_t)n * n;
    void *A = allocate(matrix * sizeof(double));
    void *B = allocate(matrix * sizeof(double));
    fill(A, matrix, 1);
    MEASURE(fill(B, matrix, 2), trmm(n, n, 1.5, A, B));
    add_to_hash(B, matrix * sizeof(double));
    return report();
}
