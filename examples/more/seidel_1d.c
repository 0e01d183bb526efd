// Three-point Gauss-Seidel iteration of a vector, in place.
#include "../harness.h"

KERNEL seidel(int steps, int n, double A[n]) {
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++) A[i] = 0.33333 * (A[i - 1] + A[i] + A[i + 1]);
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 20000);
    size_t vector = (size_t)n;
    void *A = allocate(vector * sizeof(double));
    MEASURE(fill(A, vector, 1), seidel(200, n, A));
    add_to_hash(A, vector * sizeof(double));
    return report();
}
