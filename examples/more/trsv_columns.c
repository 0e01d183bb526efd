// x = inverse(L) x with L lower triangular, one column after the other, in place.
#include "../harness.h"

KERNEL trsv(int n, double x[n], double L[n][n]) {
    for (int j = 0; j < n; j++) {
        x[j] /= L[j][j];
        for (int i = j + 1; i < n; i++) x[i] -= L[i][j] * x[j];
    }
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 2000);
    size_t vector = (size_t)n, matrix = vector * vector;
    void *L = allocate(matrix * sizeof(double));
    void *x = allocate(vector * sizeof(double));
    fill_dominant(L, vector, 1);
    MEASURE(fill(x, vector, 2), trsv(n, x, L));
    add_to_hash(x, vector * sizeof(double));
    return report();
}
