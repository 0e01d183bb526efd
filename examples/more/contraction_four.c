// A contraction of two tensors with four indices each, over two of them.
#include "../harness.h"

KERNEL contraction(int n, double T[n][n][n][n], double A[n][n][n][n], double B[n][n][n][n]) {
    for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++)
            for (int c = 0; c < n; c++)
                for (int d = 0; d < n; d++)
                    for (int e = 0; e < n; e++)
                        for (int f = 0; f < n; f++) T[a][b][c][d] += A[a][e][b][f] * B[d][f][c][e];
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 24);
    size_t tensor = (size_t)n * n * n * n;
    void *A = allocate(tensor * sizeof(double));
    void *B = allocate(tensor * sizeof(double));
    void *T = allocate(tensor * sizeof(double));
    fill(A, tensor, 1);
    fill(B, tensor, 2);
    MEASURE(fill(T, tensor, 3), contraction(n, T, A, B));
    add_to_hash(T, tensor * sizeof(double));
    return report();
}
