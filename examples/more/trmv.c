// x = U x with U upper triangular, in place.
#include "../harness.h"

KERNEL trmv(int n, double x[n], double U[n][n]) {
    for (int i = 0; i < n; i++) {
        x[i] *= U[i][i];
        for (int j = i + 1; j < n; j++) x[i] += U[i][j] * x[j];
    }
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 2000);
    size_t vector = (size_t)n, matrix = vector * vector;
    void *U = allocate(matrix * sizeof(double));
    void *x = allocate(vector * sizeof(double));
    fill(U, matrix, 1);
    MEASURE(fill(x, vector, 2), trmv(n, x, U));
    add_to_hash(x, vector * sizeof(double));
    return report();
}
