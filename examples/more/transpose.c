// B = transpose(A).
#include "../harness.h"

KERNEL transpose(int n, int m, double B[m][n], double A[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) B[j][i] = A[i][j];
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 3000);
    size_t matrix = (size_t)n * n;
    void *A = allocate(matrix * sizeof(double));
    void *B = allocate(matrix * sizeof(double));
    fill(A, matrix, 1);
    MEASURE(fill(B, matrix, 2), transpose(n, n, B, A));
    add_to_hash(B, matrix * sizeof(double));
    return report();
}
