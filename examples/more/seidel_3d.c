// Seven-point Gauss-Seidel iteration of a cube, in place.
#include "../harness.h"

KERNEL seidel(int steps, int n, double A[n][n][n]) {
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                for (int k = 1; k < n - 1; k++)
                    A[i][j][k] = (A[i - 1][j][k] + A[i][j - 1][k] + A[i][j][k - 1] + A[i][j][k] + A[i][j][k + 1] + A[i][j + 1][k] +
                                  A[i + 1][j][k]) / 7.0;
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 120);
    size_t cube = (size_t)n * n * n;
    void *A = allocate(cube * sizeof(double));
    MEASURE(fill(A, cube, 1), seidel(10, n, A));
    add_to_hash(A, cube * sizeof(double));
    return report();
}
