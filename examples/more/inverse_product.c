// The inverse of a lower triangle in place, then its product with its own transpose, in place too: the second half of inverting a
// symmetric matrix by its factor.
#include "../harness.h"

KERNEL inverse_product(int n, double A[restrict n][n]) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            A[i][j] *= A[j][j];
            for (int k = j + 1; k < i; k++) A[i][j] += A[i][k] * A[k][j];
            A[i][j] *= -1.0 / A[i][i];
        }
        A[i][i] = 1.0 / A[i][i];
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) {
            A[i][j] *= A[i][i];
            for (int k = i + 1; k < n; k++) A[i][j] += A[k][i] * A[k][j];
        }
    }
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 600);
    size_t vector = (size_t)n, matrix = vector * vector;
    void *A = allocate(matrix * sizeof(double));
    MEASURE(fill_dominant(A, n, 1), inverse_product(n, A));
    add_to_hash(A, matrix * sizeof(double));
    return report();
}
