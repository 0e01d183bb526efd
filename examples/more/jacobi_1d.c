// Three-point Jacobi iteration between two vectors.
#include "../harness.h"

KERNEL jacobi_1d(int steps, int n, double A[n], double B[n]) {
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++) B[i] = 0.33333 * (A[i - 1] + A[i] + A[i + 1]);
        for (int i = 1; i < n - 1; i++) A[i] = 0.33333 * (B[i - 1] + B[i] + B[i + 1]);
    }
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 20000);
    size_t vector = (size_t)n;
    void *A = allocate(vector * sizeof(double));
    void *B = allocate(vector * sizeof(double));
    MEASURE((fill(A, vector, 1), fill(B, vector, 2)), jacobi_1d(1000, n, A, B));
    add_to_hash(A, vector * sizeof(double));
    add_to_hash(B, vector * sizeof(double));
    return report();
}
