// Symmetric rank-k update of the lower triangle: C = beta C + alpha A transpose(A).
#include "harness.h"

KERNEL syrk(int n, int m, double alpha, double beta, double C[n][n], double A[n][m]) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) C[i][j] *= beta;
        for (int k = 0; k < m; k++)
            for (int j = 0; j <= i; j++) C[i][j] += alpha * A[i][k] * A[j][k];
    }
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 500);
    size_t count = (size_t)n * n, bytes = count * sizeof(double);
    void *A = allocate(bytes), *C = allocate(bytes);
    fill(A, count, 1);
    MEASURE(fill(C, count, 2), syrk(n, n, 1.5, 1.2, C, A));
    add_to_hash(C, bytes);
    return report();
}
