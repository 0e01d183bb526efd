// Five-point Jacobi iteration between two grids, in single precision.
#include "../harness.h"

KERNEL jacobi_2d(int steps, int n, float A[n][n], float B[n][n]) {
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                B[i][j] = 0.2f * (A[i][j] + A[i][j - 1] + A[i][j + 1] + A[i + 1][j] + A[i - 1][j]);
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                A[i][j] = 0.2f * (B[i][j] + B[i][j - 1] + B[i][j + 1] + B[i + 1][j] + B[i - 1][j]);
    }
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 1400);
    size_t count = (size_t)n * n, bytes = count * sizeof(float);
    void *A = allocate(bytes), *B = allocate(bytes);
    MEASURE((fill_floats(A, count, 1), fill_floats(B, count, 2)), jacobi_2d(40, n, A, B));
    add_to_hash(A, bytes);
    add_to_hash(B, bytes);
    return report();
}
