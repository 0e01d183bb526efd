// x = inverse(L) b with L lower triangular.
#include "../harness.h"

KERNEL forward_substitution(int n, double L[n][n], double x[n], double b[n]) {
    for (int i = 0; i < n; i++) {
        x[i] = b[i];
        for (int j = 0; j < i; j++) x[i] -= L[i][j] * x[j];
        x[i] = x[i] / L[i][i];
    }
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 3000);
    size_t vector = (size_t)n, matrix = vector * vector;
    void *L = allocate(matrix * sizeof(double));
    void *b = allocate(vector * sizeof(double));
    void *x = allocate(vector * sizeof(double));
    fill_dominant(L, n, 1);
    fill(b, vector, 2);
    MEASURE(fill(x, vector, 3), forward_substitution(n, L, x, b));
    add_to_hash(x, vector * sizeof(double));
    return report();
}
