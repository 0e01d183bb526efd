// C = A + B: a stream, which is best left alone.
#include "../harness.h"

KERNEL add(int n, int m, double C[n][m], double A[n][m], double B[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) C[i][j] = A[i][j] + B[i][j];
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 2000);
    size_t matrix = (size_t)n * n;
    void *A = allocate(matrix * sizeof(double));
    void *B = allocate(matrix * sizeof(double));
    void *C = allocate(matrix * sizeof(double));
    fill(A, matrix, 1);
    fill(B, matrix, 2);
    MEASURE(fill(C, matrix, 3), add(n, n, C, A, B));
    add_to_hash(C, matrix * sizeof(double));
    return report();
}
