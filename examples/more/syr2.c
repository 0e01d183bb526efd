// A += alpha (x transpose(y) + y transpose(x)), the lower triangle.
#include "../harness.h"

KERNEL syr2(int n, double alpha, double A[n][n], double x[n], double y[n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) A[i][j] += alpha * x[i] * y[j] + alpha * y[i] * x[j];
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 2000);
    size_t vector = (size_t)n, matrix = vector * vector;
    void *A = allocate(matrix * sizeof(double));
    void *x = allocate(vector * sizeof(double));
    void *y = allocate(vector * sizeof(double));
    fill(x, vector, 1);
    fill(y, vector, 2);
    MEASURE(fill(A, matrix, 3), syr2(n, 1.5, A, x, y));
    add_to_hash(A, matrix * sizeof(double));
    return report();
}
