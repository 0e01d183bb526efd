// Cholesky factorisation row by row, in place.
#include "../harness.h"

KERNEL cholesky(int n, double A[n][n]) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            for (int k = 0; k < j; k++) A[i][j] -= A[i][k] * A[j][k];
            A[i][j] /= A[j][j];
        }
        for (int k = 0; k < i; k++) A[i][i] -= A[i][k] * A[i][k];
        A[i][i] = sqrt(A[i][i]);
    }
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 800);
    size_t matrix = (size_t)n * n;
    void *A = allocate(matrix * sizeof(double));
    MEASURE(fill_dominant(A, n, 1), cholesky(n, A));
    add_to_hash(A, matrix * sizeof(double));
    return report();
}
