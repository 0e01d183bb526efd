// A += alpha x transpose(y).
#include "../harness.h"

KERNEL ger(int n, int m, double alpha, double A[n][m], double x[n], double y[m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) A[i][j] += alpha * x[i] * y[j];
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 2000);
    size_t vector = (size_t)n, matrix = vector * vector;
    void *A = allocate(matrix * sizeof(double));
    void *x = allocate(vector * sizeof(double));
    void *y = allocate(vector * sizeof(double));
    fill(x, vector, 1);
    fill(y, vector, 2);
    MEASURE(fill(A, matrix, 3), ger(n, n, 1.5, A, x, y));
    add_to_hash(A, matrix * sizeof(double));
    return report();
}
