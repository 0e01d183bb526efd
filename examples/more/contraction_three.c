// A contraction of a tensor with three indices and a matrix, over the last index of the one and the first of the other.
#include "../harness.h"

KERNEL contraction(int n, double T[n][n][n], double A[n][n][n], double B[n][n]) {
    for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++)
            for (int c = 0; c < n; c++)
                for (int d = 0; d < n; d++) T[a][b][c] += A[a][c][d] * B[d][b];
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 128);
    size_t tensor = (size_t)n * n * n, matrix = (size_t)n * n;
    void *A = allocate(tensor * sizeof(double));
    void *B = allocate(matrix * sizeof(double));
    void *T = allocate(tensor * sizeof(double));
    fill(A, tensor, 1);
    fill(B, matrix, 2);
    MEASURE(fill(T, tensor, 3), contraction(n, T, A, B));
    add_to_hash(T, tensor * sizeof(double));
    return report();
}
