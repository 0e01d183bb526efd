// Many products of 12 x 12 matrices.
#include "../harness.h"

KERNEL matmul_small(int count, int s, double C[count][s][s], double A[count][s][s], double B[count][s][s]) {
    for (int b = 0; b < count; b++)
        for (int i = 0; i < s; i++)
            for (int j = 0; j < s; j++)
                for (int k = 0; k < s; k++) C[b][i][j] += A[b][i][k] * B[b][k][j];
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 2000);
    size_t vector = (size_t)n;
    void *A = allocate(144 * vector * sizeof(double));
    void *B = allocate(144 * vector * sizeof(double));
    void *C = allocate(144 * vector * sizeof(double));
    fill(A, 144 * vector, 1);
    fill(B, 144 * vector, 2);
    MEASURE(fill(C, 144 * vector, 3), matmul_small(n, 12, C, A, B));
    add_to_hash(C, 144 * vector * sizeof(double));
    return report();
}
