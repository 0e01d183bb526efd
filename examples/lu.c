// Right-looking LU factorisation without pivoting, in place.
#include "harness.h"

KERNEL lu(int n, double A[n][n]) {
    for (int k = 0; k < n; k++) {
        for (int i = k + 1; i < n; i++) A[i][k] /= A[k][k];
        for (int i = k + 1; i < n; i++)
            for (int j = k + 1; j < n; j++) A[i][j] -= A[i][k] * A[k][j];
    }
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 700);
    size_t count = (size_t)n * n, bytes = count * sizeof(double);
    void *A = allocate(bytes);
    MEASURE(fill_dominant(A, n, 1), lu(n, A));
    add_to_hash(A, bytes);
    return report();
}
