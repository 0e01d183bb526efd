// Nine-point Gauss-Seidel iteration, in place.
#include "harness.h"

KERNEL seidel(int steps, int n, double A[n][n]) {
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                A[i][j] = (A[i - 1][j - 1] + A[i - 1][j] + A[i - 1][j + 1] + A[i][j - 1] + A[i][j] + A[i][j + 1] +
                           A[i + 1][j - 1] + A[i + 1][j] + A[i + 1][j + 1]) / 9.0;
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 500);
    size_t count = (size_t)n * n, bytes = count * sizeof(double);
    void *A = allocate(bytes);
    MEASURE(fill(A, count, 1), seidel(20, n, A));
    add_to_hash(A, bytes);
    return report();
}
