// Right-looking Cholesky factorisation of the lower triangle, in place.
#include "harness.h"

KERNEL cholesky(int n, double A[n][n]) {
    for (int k = 0; k < n; k++) {
        A[k][k] = sqrt(A[k][k]);
        for (int i = k + 1; i < n; i++) A[i][k] /= A[k][k];
        for (int i = k + 1; i < n; i++)
            for (int j = k + 1; j <= i; j++) A[i][j] -= A[i][k] * A[j][k];
    }
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 700);
    size_t count = (size_t)n * n, bytes = count * sizeof(double);
    void *A = allocate(bytes);
    MEASURE(fill_dominant(A, n, 1), cholesky(n, A));
    add_to_hash(A, bytes);
    return report();
}
