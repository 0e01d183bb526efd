// Rank-two update, then two products with vectors.
#include "../harness.h"

KERNEL gemver(int n, double alpha, double beta, double A[n][n], double u1[n], double v1[n], double u2[n], double v2[n],
              double w[n], double x[n], double y[n], double z[n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) A[i][j] = A[i][j] + u1[i] * v1[j] + u2[i] * v2[j];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) x[i] = x[i] + beta * A[j][i] * y[j];
    for (int i = 0; i < n; i++) x[i] = x[i] + z[i];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) w[i] = w[i] + alpha * A[i][j] * x[j];
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 2000);
    size_t vector = (size_t)n, matrix = vector * vector;
    void *u1 = allocate(vector * sizeof(double));
    void *v1 = allocate(vector * sizeof(double));
    void *u2 = allocate(vector * sizeof(double));
    void *v2 = allocate(vector * sizeof(double));
    void *z = allocate(vector * sizeof(double));
    void *y = allocate(vector * sizeof(double));
    void *A = allocate(matrix * sizeof(double));
    void *x = allocate(vector * sizeof(double));
    void *w = allocate(vector * sizeof(double));
    fill(u1, vector, 1);
    fill(v1, vector, 2);
    fill(u2, vector, 3);
    fill(v2, vector, 4);
    fill(z, vector, 5);
    fill(y, vector, 6);
    MEASURE((fill(A, matrix, 7), fill(x, vector, 8), fill(w, vector, 9)), gemver(n, 1.5, 1.2, A, u1, v1, u2, v2, w, x, y, z));
    add_to_hash(A, matrix * sizeof(double));
    add_to_hash(x, vector * sizeof(double));
    add_to_hash(w, vector * sizeof(double));
    return report();
}
