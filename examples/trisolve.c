// A = B / U with U upper triangular.
#include "harness.h"

KERNEL trisolve(int M, int N, double A[M][N], double B[M][N], double U[N][N]) {
    for (int m = 0; m < M; m++) {
        for (int n = 0; n < N; n++) A[m][n] = B[m][n];
        for (int n = 0; n < N; n++) {
            A[m][n] /= U[n][n];
            for (int k = n + 1; k < N; k++) A[m][k] -= A[m][n] * U[n][k];
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
