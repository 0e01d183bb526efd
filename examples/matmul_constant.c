// C = A B on global arrays of constant size.
#include "harness.h"

enum { N = 512 };
static double A[N][N], B[N][N], C[N][N];

KERNEL matmul(void) {
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            C[i][j] = 0.0;
            for (int k = 0; k < N; k++) C[i][j] += A[i][k] * B[k][j];
        }
}

int main(int argc, char **argv) {
    (void)size_argument(argc, argv, N);
    fill(&A[0][0], (size_t)N * N, 1);
    fill(&B[0][0], (size_t)N * N, 2);
    MEASURE(fill(&C[0][0], (size_t)N * N, 3), matmul());
    add_to_hash(C, sizeof C);
    return report();
}
