// Two dependent matrix products: T = alpha A B, then D = beta D + T C.
#include "harness.h"

KERNEL two_products(int n, double alpha, double beta, double T[n][n], double A[n][n], double B[n][n], double C[n][n],
                    double D[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            T[i][j] = 0.0;
            for (int k = 0; k < n; k++) T[i][j] += alpha * A[i][k] * B[k][j];
        }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            D[i][j] *= beta;
            for (int k = 0; k < n; k++) D[i][j] += T[i][k] * C[k][j];
        }
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 400);
    size_t count = (size_t)n * n, bytes = count * sizeof(double);
    void *A = allocate(bytes), *B = allocate(bytes), *C = allocate(bytes), *T = allocate(bytes), *D = allocate(bytes);
    fill(A, count, 1);
    fill(B, count, 2);
    fill(C, count, 3);
    MEASURE((fill(T, count, 4), fill(D, count, 5)), two_products(n, 1.5, 1.2, T, A, B, C, D));
    add_to_hash(T, bytes);
    add_to_hash(D, bytes);
    return report();
}
