// LU factorisation row by row, in place.
#include "../harness.h"

KERNEL lu(int n, double A[n][n]) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            for (int k = 0; k < j; k++) A[i][j] -= A[i][k] * A[k][j];
            A[i][j] /= A[j][j];
        }
        for (int j = i; j < n; j++)
            for (int k = 0; k < i; k++) A[i][j] -= A[i][k] * A[k][j];
    }
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 700);
    size_t matrix = (size_t)n * n;
    void *A = allocate(matrix * sizeof(double));
    MEASURE(fill_dominant(A, n, 1), lu(n, A));
    add_to_hash(A, matrix * sizeof(double));
    return report();
}
