// Cholesky factorisation row by row of a matrix of which the lower triangle is stored, row after row.
#include "../harness.h"

KERNEL cholesky_packed(int n, double *A) {
    for (int i = 0; i < n; i++) {
        double *row = A + i * (i + 1) / 2;
        for (int j = 0; j < i; j++) {
            const double *above = A + j * (j + 1) / 2;
            for (int k = 0; k < j; k++) row[j] -= row[k] * above[k];
            row[j] /= above[j];
        }
        for (int k = 0; k < i; k++) row[i] -= row[k] * row[k];
        row[i] = sqrt(row[i]);
    }
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 800);
    size_t triangle = (size_t)n * (n + 1) / 2;
    double *A = allocate(triangle * sizeof(double));
    MEASURE(
        {
            fill(A, triangle, 1);
            for (size_t i = 0; i < (size_t)n; i++) A[i * (i + 3) / 2] += 2 * n;
        },
        cholesky_packed(n, A));
    add_to_hash(A, triangle * sizeof(double));
    return report();
}
