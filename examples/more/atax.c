// y = transpose(A) (A x).
#include "../harness.h"

KERNEL atax(int n, int m, double y[m], double A[n][m], double x[m], double t[n]) {
    for (int j = 0; j < m; j++) y[j] = 0.0;
    for (int i = 0; i < n; i++) {
        t[i] = 0.0;
        for (int j = 0; j < m; j++) t[i] = t[i] + A[i][j] * x[j];
        for (int j = 0; j < m; j++) y[j] = y[j] + A[i][j] * t[i];
    }
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 2500);
    size_t vector = (size_t)n, matrix = vector * vector;
    void *A = allocate(matrix * sizeof(double));
    void *x = allocate(vector * sizeof(double));
    void *t = allocate(vector * sizeof(double));
    void *y = allocate(vector * sizeof(double));
    fill(A, matrix, 1);
    fill(x, vector, 2);
    MEASURE((fill(t, vector, 3), fill(y, vector, 4)), atax(n, n, y, A, x, t));
    add_to_hash(t, vector * sizeof(double));
    add_to_hash(y, vector * sizeof(double));
    return report();
}
