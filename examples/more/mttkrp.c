// An unfolded tensor times the Khatri-Rao product of two matrices, as in a CP decomposition.
#include "../harness.h"

KERNEL mttkrp(int n, int r, double M[n][r], double X[n][n][n], double B[n][r], double C[n][r]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                for (int s = 0; s < r; s++) M[i][s] += X[i][j][k] * B[j][s] * C[k][s];
}

int main(int argc, char **argv) {
    enum { R = 32 };
    int n = size_argument(argc, argv, 200);
    size_t tensor = (size_t)n * n * n, factor = (size_t)n * R;
    void *X = allocate(tensor * sizeof(double));
    void *B = allocate(factor * sizeof(double));
    void *C = allocate(factor * sizeof(double));
    void *M = allocate(factor * sizeof(double));
    fill(X, tensor, 1);
    fill(B, factor, 2);
    fill(C, factor, 3);
    MEASURE(fill(M, factor, 4), mttkrp(n, R, M, X, B, C));
    add_to_hash(M, factor * sizeof(double));
    return report();
}
