// Symmetric rank-k update of the lower triangle, in single precision.
#include "../harness.h"

KERNEL syrk(int n, int m, float alpha, float beta, float C[n][n], float A[n][m]) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) C[i][j] *= beta;
        for (int k = 0; k < m; k++)
            for (int j = 0; j <= i; j++) C[i][j] += alpha * A[i][k] * A[j][k];
    }
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 1000);
    size_t matrix = (size_t)n * n;
    void *A = allocate(matrix * sizeof(float));
    void *C = allocate(matrix * sizeof(float));
    fill_floats(A, matrix, 1);
    MEASURE(fill_floats(C, matrix, 2), syrk(n, n, 1.5f, 1.2f, C, A));
    add_to_hash(C, matrix * sizeof(float));
    return report();
}
