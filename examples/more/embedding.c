// A matrix of 16 columns times one of 16 rows: of the loop over them nothing is left for the vectoriser.
#include "../harness.h"

enum { DEPTH = 16 };

KERNEL embedding(int n, const double A[n][DEPTH], const double B[DEPTH][n], double C[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0.0;
            for (int k = 0; k < DEPTH; k++) sum += A[i][k] * B[k][j];
            C[i][j] = sum;
        }
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 1000);
    size_t narrow = (size_t)n * DEPTH, cells = (size_t)n * n;
    void *A = allocate(narrow * sizeof(double)), *B = allocate(narrow * sizeof(double)), *C = allocate(cells * sizeof(double));
    fill(A, narrow, 1);
    fill(B, narrow, 2);
    MEASURE(fill(C, cells, 3), embedding(n, A, B, C));
    add_to_hash(C, cells * sizeof(double));
    return report();
}
