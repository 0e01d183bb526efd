// Gauss-Seidel on the colours of a chessboard: first all points of one colour, then all of the other.
#include "../harness.h"

KERNEL red_black(int steps, int n, double A[n][n]) {
    for (int t = 0; t < steps; t++)
        for (int colour = 0; colour < 2; colour++)
            for (int i = 1; i < n - 1; i++)
                for (int j = 1 + (i + colour) % 2; j < n - 1; j += 2)
                    A[i][j] = 0.25 * (A[i - 1][j] + A[i + 1][j] + A[i][j - 1] + A[i][j + 1]);
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 1000);
    size_t count = (size_t)n * n, bytes = count * sizeof(double);
    void *A = allocate(bytes);
    MEASURE(fill(A, count, 1), red_black(20, n, A));
    add_to_hash(A, bytes);
    return report();
}
