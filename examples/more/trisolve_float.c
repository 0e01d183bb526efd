// A = B / U with U upper triangular, in single precision.
#include "../harness.h"

KERNEL trisolve(int M, int N, float A[M][N], float B[M][N], float U[N][N]) {
    for (int m = 0; m < M; m++) {
        for (int n = 0; n < N; n++) A[m][n] = B[m][n];
        for (int n = 0; n < N; n++) {
            A[m][n] /= U[n][n];
            for (int k = n + 1; k < N; k++) A[m][k] -= A[m][n] * U[n][k];
        }
    }
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 1000);
    size_t matrix = (size_t)n * n;
    float *A = allocate(matrix * sizeof(float)), *B = allocate(matrix * sizeof(float)), *U = allocate(matrix * sizeof(float));
    fill_floats(B, matrix, 1);
    fill_floats(U, matrix, 2);
    for (size_t i = 0; i < (size_t)n; i++) U[i * n + i] += 2.0f * (float)n;
    MEASURE(fill_floats(A, matrix, 3), trisolve(n, n, (void *)A, (void *)B, (void *)U));
    add_to_hash(A, matrix * sizeof(float));
    return report();
}
