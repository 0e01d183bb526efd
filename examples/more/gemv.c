// y += A x.
#include "../harness.h"

KERNEL gemv(int n, int m, double y[n], double A[n][m], double x[m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) y[i] += A[i][j] * x[j];
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 2000);
    size_t vector = (size_t)n, matrix = vector * vector;
    void *A = allocate(matrix * sizeof(double));
    void *x = allocate(vector * sizeof(double));
    void *y = allocate(vector * sizeof(double));
    fill(A, matrix, 1);
    fill(x, vector, 2);
    MEASURE(fill(y, vector, 3), gemv(n, n, y, A, x));
    add_to_hash(y, vector * sizeof(double));
    return report();
}
