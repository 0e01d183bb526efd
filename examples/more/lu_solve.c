// LU factorisation by rows, then both triangular solves.
#include "../harness.h"

KERNEL lu_solve(int n, double A[n][n], double b[n], double x[n], double y[n]) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            double w = A[i][j];
            for (int k = 0; k < j; k++) w -= A[i][k] * A[k][j];
            A[i][j] = w / A[j][j];
        }
        for (int j = i; j < n; j++) {
            double w = A[i][j];
            for (int k = 0; k < i; k++) w -= A[i][k] * A[k][j];
            A[i][j] = w;
        }
    }
    for (int i = 0; i < n; i++) {
        double w = b[i];
        for (int j = 0; j < i; j++) w -= A[i][j] * y[j];
        y[i] = w;
    }
    for (int i = n - 1; i >= 0; i--) {
        double w = y[i];
        for (int j = i + 1; j < n; j++) w -= A[i][j] * x[j];
        x[i] = w / A[i][i];
    }
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 600);
    size_t vector = (size_t)n, matrix = vector * vector;
    void *b = allocate(vector * sizeof(double));
    void *A = allocate(matrix * sizeof(double));
    void *x = allocate(vector * sizeof(double));
    void *y = allocate(vector * sizeof(double));
    fill(b, vector, 1);
    MEASURE((fill_dominant(A, n, 2), fill(x, vector, 3), fill(y, vector, 4)), lu_solve(n, A, b, x, y));
    add_to_hash(A, matrix * sizeof(double));
    add_to_hash(x, vector * sizeof(double));
    add_to_hash(y, vector * sizeof(double));
    return report();
}
