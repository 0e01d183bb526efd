// Every row of a three-dimensional array times a matrix, by way of a buffer.
#include "../harness.h"

KERNEL doitgen(int nr, int nq, int np, double A[nr][nq][np], double C[np][np], double s[np]) {
    for (int r = 0; r < nr; r++)
        for (int q = 0; q < nq; q++) {
            for (int p = 0; p < np; p++) {
                s[p] = 0.0;
                for (int t = 0; t < np; t++) s[p] += A[r][q][t] * C[t][p];
            }
            for (int p = 0; p < np; p++) A[r][q][p] = s[p];
        }
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 120);
    size_t vector = (size_t)n, matrix = vector * vector;
    size_t cube = matrix * n;
    void *C = allocate(matrix * sizeof(double));
    void *s = allocate(vector * sizeof(double));
    void *A = allocate(cube * sizeof(double));
    fill(C, matrix, 1);
    fill(s, vector, 2);
    MEASURE(fill(A, cube, 3), doitgen(n, n, n, A, C, s));
    add_to_hash(A, cube * sizeof(double));
    return report();
}
