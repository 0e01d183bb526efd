// G = (A B) (C D).
#include "../harness.h"

KERNEL three_products(int n, double E[n][n], double A[n][n], double B[n][n], double F[n][n], double C[n][n],
                      double D[n][n], double G[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            E[i][j] = 0.0;
            for (int k = 0; k < n; k++) E[i][j] += A[i][k] * B[k][j];
        }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            F[i][j] = 0.0;
            for (int k = 0; k < n; k++) F[i][j] += C[i][k] * D[k][j];
        }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            G[i][j] = 0.0;
            for (int k = 0; k < n; k++) G[i][j] += E[i][k] * F[k][j];
        }
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 400);
    size_t matrix = (size_t)n * n;
    void *A = allocate(matrix * sizeof(double));
    void *B = allocate(matrix * sizeof(double));
    void *C = allocate(matrix * sizeof(double));
    void *D = allocate(matrix * sizeof(double));
    void *E = allocate(matrix * sizeof(double));
    void *F = allocate(matrix * sizeof(double));
    void *G = allocate(matrix * sizeof(double));
    fill(A, matrix, 1);
    fill(B, matrix, 2);
    fill(C, matrix, 3);
    fill(D, matrix, 4);
    MEASURE((fill(E, matrix, 5), fill(F, matrix, 6), fill(G, matrix, 7)), three_products(n, E, A, B, F, C, D, G));
    add_to_hash(E, matrix * sizeof(double));
    add_to_hash(F, matrix * sizeof(double));
    add_to_hash(G, matrix * sizeof(double));
    return report();
}
