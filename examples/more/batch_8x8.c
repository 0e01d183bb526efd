// Many products of 8 x 8 matrices, a size that the compiler knows.
#include "../harness.h"

KERNEL batch(int count, double C[count][8][8], double A[count][8][8], double B[count][8][8]) {
    for (int b = 0; b < count; b++)
        for (int i = 0; i < 8; i++)
            for (int j = 0; j < 8; j++) {
                C[b][i][j] = 0.0;
                for (int k = 0; k < 8; k++) C[b][i][j] += A[b][i][k] * B[b][k][j];
            }
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 10000);
    size_t numbers = (size_t)n * 8 * 8;
    void *A = allocate(numbers * sizeof(double));
    void *B = allocate(numbers * sizeof(double));
    void *C = allocate(numbers * sizeof(double));
    fill(A, numbers, 1);
    fill(B, numbers, 2);
    MEASURE(fill(C, numbers, 3), batch(n, C, A, B));
    add_to_hash(C, numbers * sizeof(double));
    return report();
}
