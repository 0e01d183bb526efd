// Cholesky's factorisation, then the solve with its factor, by columns.
#include "../harness.h"

KERNEL cholesky_solve(int n, double A[restrict n][n], double b[restrict n]) {
    for (int k = 0; k < n; k++) {
        A[k][k] = sqrt(A[k][k]);
        for (int i = k + 1; i < n; i++) A[i][k] /= A[k][k];
        for (int i = k + 1; i < n; i++)
            for (int j = k + 1; j <= i; j++) A[i][j] -= A[i][k] * A[j][k];
    }
    for (int j = 0; j < n; j++) {
        b[j] /= A[j][j];
        for (int i = j + 1; i < n; i++) b[i] -= A[i][j] * b[j];
    }
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 600);
    size_t vector = (size_t)n, matrix = vector * vector;
    void *A = allocate(matrix * sizeof(double));
    void *b = allocate(vector * sizeof(double));
    MEASURE((fill_dominant(A, n, 1), fill(b, vector, 2)), cholesky_solve(n, A, b));
    add_to_hash(A, matrix * sizeof(double));
    add_to_hash(b, vector * sizeof(double));
    return report();
}
