// Many products of 4 x 4 matrices, a size that the compiler knows.
#include "../harness.h"

KERNEL batch(int count, double C[count][4][4], double A[count][4][4], double B[count][4][4]) {
    for (int b = 0; b < count; b++)
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 4; j++) {
                C[b][i][j] = 0.0;
                for (int k = 0; k < 4; k++) C[b][i][j] += A[b][i][k] * B[b][k][j];
            }
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 50000);
    size_t numbers = (size_t)n * 4 * 4;
    void *A = allocate(numbers * sizeof(double));
    void *B = allocate(numbers * sizeof(double));
    void *C = allocate(numbers * sizeof(double));
    fill(A, numbers, 1);
    fill(B, numbers, 2);
    MEASURE(fill(C, numbers, 3), batch(n, C, A, B));
    add_to_hash(C, numbers * sizeof(double));
    return report();
}
