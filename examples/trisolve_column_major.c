// trisolve.c with all three matrices stored by columns.
#include "harness.h"

KERNEL trisolve(int M, int N, double A[N][M], double B[N][M], double U[N][N]) {
    for (int m = 0; m < M; m++) {
        for (int n = 0; n < N; n++) A[n][m] = B[n][m];
        for (int n = 0; n < N; n++) {
            A[n][m] /= U[n][n];
            for (int k = n + 1; k < N; k++) A[k][m] -= A[n][m] * U[k][n];
        }
    }
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 400);
    size_t count = (size_t)n * n, bytes = count * sizeof(double);
    void *A = allocate(bytes), *B = allocate(bytes), *U = allocate(bytes);
    fill(B, count, 1);
    fill_dominant(U, n, 2);
    MEASURE(fill(A, count, 3), trisolve(n, n, A, B, U));
    add_to_hash(A, bytes);
    return report();
}
