// y = alpha A x + beta B x.
#include "../harness.h"

KERNEL gesummv(int n, double alpha, double beta, double A[n][n], double B[n][n], double t[n], double x[n], double y[n]) {
    for (int i = 0; i < n; i++) {
        t[i] = 0.0;
        y[i] = 0.0;
        for (int j = 0; j < n; j++) {
            t[i] = A[i][j] * x[j] + t[i];
            y[i] = B[i][j] * x[j] + y[i];
        }
        y[i] = alpha * t[i] + beta * y[i];
    }
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 2000);
    size_t vector = (size_t)n, matrix = vector * vector;
    void *A = allocate(matrix * sizeof(double));
    void *B = allocate(matrix * sizeof(double));
    void *x = allocate(vector * sizeof(double));
    void *t = allocate(vector * sizeof(double));
    void *y = allocate(vector * sizeof(double));
    fill(A, matrix, 1);
    fill(B, matrix, 2);
    fill(x, vector, 3);
    MEASURE((fill(t, vector, 4), fill(y, vector, 5)), gesummv(n, 1.5, 1.2, A, B, t, x, y));
    add_to_hash(t, vector * sizeof(double));
    add_to_hash(y, vector * sizeof(double));
    return report();
}
