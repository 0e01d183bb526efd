// y += alpha A x with A symmetric, its lower triangle stored.
#include "../harness.h"

KERNEL symv(int n, double alpha, double y[n], double A[n][n], double x[n]) {
    for (int i = 0; i < n; i++) {
        double sum = 0.0;
        for (int j = 0; j < i; j++) {
            y[j] += alpha * x[i] * A[i][j];
            sum += A[i][j] * x[j];
        }
        y[i] += alpha * (x[i] * A[i][i] + sum);
    }
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 2000);
    size_t vector = (size_t)n, matrix = vector * vector;
    void *A = allocate(matrix * sizeof(double));
    void *x = allocate(vector * sizeof(double));
    void *y = allocate(vector * sizeof(double));
    fill(A, matrix, 1);
    fill(x, vector, 2);
    MEASURE(fill(y, vector, 3), symv(n, 1.5, y, A, x));
    add_to_hash(y, vector * sizeof(double));
    return report();
}
