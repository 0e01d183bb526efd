// QR factorisation by modified Gram-Schmidt.
#include "../harness.h"

KERNEL gram_schmidt(int m, int n, double A[m][n], double R[n][n], double Q[m][n]) {
    for (int k = 0; k < n; k++) {
        double norm = 0.0;
        for (int i = 0; i < m; i++) norm += A[i][k] * A[i][k];
        R[k][k] = sqrt(norm);
        for (int i = 0; i < m; i++) Q[i][k] = A[i][k] / R[k][k];
        for (int j = k + 1; j < n; j++) {
            R[k][j] = 0.0;
            for (int i = 0; i < m; i++) R[k][j] += Q[i][k] * A[i][j];
            for (int i = 0; i < m; i++) A[i][j] = A[i][j] - Q[i][k] * R[k][j];
        }
    }
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 400);
    size_t matrix = (size_t)n * n;
    void *A = allocate(matrix * sizeof(double));
    void *R = allocate(matrix * sizeof(double));
    void *Q = allocate(matrix * sizeof(double));
    MEASURE((fill_dominant(A, n, 1), fill(R, matrix, 2), fill(Q, matrix, 3)), gram_schmidt(n, n, A, R, Q));
    add_to_hash(A, matrix * sizeof(double));
    add_to_hash(R, matrix * sizeof(double));
    add_to_hash(Q, matrix * sizeof(double));
    return report();
}
