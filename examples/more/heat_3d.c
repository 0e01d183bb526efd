// Seven-point heat equation between two grids.
#include "../harness.h"

KERNEL heat_3d(int steps, int n, double A[n][n][n], double B[n][n][n]) {
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                for (int k = 1; k < n - 1; k++)
                    B[i][j][k] = 0.125 * (A[i + 1][j][k] - 2.0 * A[i][j][k] + A[i - 1][j][k]) +
                                 0.125 * (A[i][j + 1][k] - 2.0 * A[i][j][k] + A[i][j - 1][k]) +
                                 0.125 * (A[i][j][k + 1] - 2.0 * A[i][j][k] + A[i][j][k - 1]) + A[i][j][k];
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                for (int k = 1; k < n - 1; k++)
                    A[i][j][k] = 0.125 * (B[i + 1][j][k] - 2.0 * B[i][j][k] + B[i - 1][j][k]) +
                                 0.125 * (B[i][j + 1][k] - 2.0 * B[i][j][k] + B[i][j - 1][k]) +
                                 0.125 * (B[i][j][k + 1] - 2.0 * B[i][j][k] + B[i][j][k - 1]) + B[i][j][k];
    }
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 100);
    size_t cube = (size_t)n * n * n;
    void *A = allocate(cube * sizeof(double));
    void *B = allocate(cube * sizeof(double));
    MEASURE((fill(A, cube, 1), fill(B, cube, 2)), heat_3d(20, n, A, B));
    add_to_hash(A, cube * sizeof(double));
    add_to_hash(B, cube * sizeof(double));
    return report();
}
