// Gauss' elimination, in place, with the largest number of each column brought to the diagonal.
#include "../harness.h"

KERNEL lu_pivots(int n, double A[n][n], int rows[n]) {
    for (int k = 0; k < n; k++) {
        int largest = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(A[i][k]) > fabs(A[largest][k])) largest = i;
        rows[k] = largest;
        if (largest != k)
            for (int j = 0; j < n; j++) {
                double moved = A[k][j];
                A[k][j] = A[largest][j];
                A[largest][j] = moved;
            }
        for (int i = k + 1; i < n; i++) {
            A[i][k] /= A[k][k];
            for (int j = k + 1; j < n; j++) A[i][j] -= A[i][k] * A[k][j];
        }
    }
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 800);
    size_t count = (size_t)n * n;
    double *A = allocate(count * sizeof(double));
    int *rows = allocate((size_t)n * sizeof(int));
    MEASURE(fill(A, count, 1), lu_pivots(n, (void *)A, rows));
    add_to_hash(A, count * sizeof(double));
    add_to_hash(rows, (size_t)n * sizeof(int));
    return report();
}
