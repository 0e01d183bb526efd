// Sum of every column, one column after the other.
#include "../harness.h"

KERNEL column_sums(int n, int m, double s[m], double A[n][m]) {
    for (int j = 0; j < m; j++) {
        double sum = 0.0;
        for (int i = 0; i < n; i++) sum += A[i][j];
        s[j] = sum;
    }
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 3000);
    size_t vector = (size_t)n, matrix = vector * vector;
    void *A = allocate(matrix * sizeof(double));
    void *s = allocate(vector * sizeof(double));
    fill(A, matrix, 1);
    MEASURE(fill(s, vector, 2), column_sums(n, n, s, A));
    add_to_hash(s, vector * sizeof(double));
    return report();
}
