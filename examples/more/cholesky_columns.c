// Cholesky's factorisation by columns, sums first, into a matrix of its own: as in textbooks.
#include "../harness.h"

KERNEL cholesky_columns(int n, const double *A, double *L) {
    for (int j = 0; j < n; j++) {
        double sum = 0.0;
        for (int k = 0; k < j; k++) sum += L[j * n + k] * L[j * n + k];
        L[j * n + j] = sqrt(A[j * n + j] - sum);
        for (int i = j + 1; i < n; i++) {
            sum = 0.0;
            for (int k = 0; k < j; k++) sum += L[i * n + k] * L[j * n + k];
            L[i * n + j] = (A[i * n + j] - sum) / L[j * n + j];
        }
    }
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 600);
    size_t count = (size_t)n * n, bytes = count * sizeof(double);
    double *A = allocate(bytes), *L = allocate(bytes);
    fill_dominant(A, n, 1);
    MEASURE(fill(L, count, 2), cholesky_columns(n, A, L));
    add_to_hash(L, bytes);
    return report();
}
