// The same program as trisolve.c, with the innermost loop counted from 0.
#include "harness.h"

KERNEL trisolve(int M, int N, double A[M][N], double B[M][N], double U[N][N]) {
    for (int m = 0; m < M; m++) {
        for (int n = 0; n < N; n++) A[m][n] = B[m][n];
        for (int n = 0; n < N; n++) {
            A[m][n] /= U[n][n];
            for (int k = 0; k < N - n - 1; k++) A[m][k + n + 1] -= A[m][n] * U[n][k + n + 1];
        }
    }
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 700);
    size_t count = (size_t)n * n, bytes = count * sizeof(double);
    void *A = allocate(bytes), *B = allocate(bytes), *U = allocate(bytes);
    fill(B, count, 1);
    fill_dominant(U, n, 2);
    MEASURE(fill(A, count, 3), trisolve(n, n, A, B, U));
    add_to_hash(A, bytes);
    return report();
}
