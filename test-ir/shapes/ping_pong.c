// 27. Two buffers in turn: t % 2.
#include "shape.h"
KERNEL kernel(int steps, int n, double A[2][50][100]) {
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                A[(t + 1) % 2][i][j] = 0.25 * (A[t % 2][i][j - 1] + A[t % 2][i][j + 1] + A[t % 2][i - 1][j] + A[t % 2][i + 1][j]);
}
static void run(int n, int m) {
    double *A = ARRAY(double, 2 * 50 * 100);
    kernel(m, n, (double(*)[50][100])A);
    show(A, 2 * 50 * 800);
}
