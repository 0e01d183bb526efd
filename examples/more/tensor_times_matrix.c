// A tensor with three indices times a matrix, along the middle index.
#include "../harness.h"

KERNEL tensor_times_matrix(int n, int r, double Y[n][r][n], double X[n][n][n], double U[r][n]) {
    for (int i = 0; i < n; i++)
        for (int s = 0; s < r; s++)
            for (int k = 0; k < n; k++) {
                Y[i][s][k] = 0.0;
                for (int j = 0; j < n; j++) Y[i][s][k] += X[i][j][k] * U[s][j];
            }
}

int main(int argc, char **argv) {
    enum { R = 64 };
    int n = size_argument(argc, argv, 160);
    size_t tensor = (size_t)n * n * n, matrix = (size_t)R * n, result = matrix * n;
    void *X = allocate(tensor * sizeof(double));
    void *U = allocate(matrix * sizeof(double));
    void *Y = allocate(result * sizeof(double));
    fill(X, tensor, 1);
    fill(U, matrix, 2);
    MEASURE(fill(Y, result, 3), tensor_times_matrix(n, R, Y, X, U));
    add_to_hash(Y, result * sizeof(double));
    return report();
}
