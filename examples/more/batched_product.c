// Many products of matrices of one size that is not known to the compiler.
#include "../harness.h"

KERNEL batched_product(int count, int n, double C[count][n][n], double A[count][n][n], double B[count][n][n]) {
    for (int b = 0; b < count; b++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                double sum = 0.0;
                for (int k = 0; k < n; k++) sum += A[b][i][k] * B[b][k][j];
                C[b][i][j] = sum;
            }
}

int main(int argc, char **argv) {
    enum { COUNT = 64 };
    int n = size_argument(argc, argv, 128);
    size_t batch = (size_t)COUNT * n * n;
    void *A = allocate(batch * sizeof(double));
    void *B = allocate(batch * sizeof(double));
    void *C = allocate(batch * sizeof(double));
    fill(A, batch, 1);
    fill(B, batch, 2);
    MEASURE(fill(C, batch, 3), batched_product(COUNT, n, C, A, B));
    add_to_hash(C, batch * sizeof(double));
    return report();
}
