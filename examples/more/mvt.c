// x += A u and y += transpose(A) v.
#include "../harness.h"

KERNEL mvt(int n, double x[n], double y[n], double A[n][n], double u[n], double v[n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) x[i] = x[i] + A[i][j] * u[j];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) y[i] = y[i] + A[j][i] * v[j];
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 2500);
    size_t vector = (size_t)n, matrix = vector * vector;
    void *A = allocate(matrix * sizeof(double));
    void *u = allocate(vector * sizeof(double));
    void *v = allocate(vector * sizeof(double));
    void *x = allocate(vector * sizeof(double));
    void *y = allocate(vector * sizeof(double));
    fill(A, matrix, 1);
    fill(u, vector, 2);
    fill(v, vector, 3);
    MEASURE((fill(x, vector, 4), fill(y, vector, 5)), mvt(n, x, y, A, u, v));
    add_to_hash(x, vector * sizeof(double));
    add_to_hash(y, vector * sizeof(double));
    return report();
}
