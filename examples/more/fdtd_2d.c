// Finite differences in the time domain: three fields.
#include "../harness.h"

KERNEL fdtd_2d(int steps, int n, int m, double ex[n][m], double ey[n][m], double hz[n][m]) {
    for (int t = 0; t < steps; t++) {
        for (int j = 0; j < m; j++) ey[0][j] = t;
        for (int i = 1; i < n; i++)
            for (int j = 0; j < m; j++) ey[i][j] = ey[i][j] - 0.5 * (hz[i][j] - hz[i - 1][j]);
        for (int i = 0; i < n; i++)
            for (int j = 1; j < m; j++) ex[i][j] = ex[i][j] - 0.5 * (hz[i][j] - hz[i][j - 1]);
        for (int i = 0; i < n - 1; i++)
            for (int j = 0; j < m - 1; j++) hz[i][j] = hz[i][j] - 0.7 * (ex[i][j + 1] - ex[i][j] + ey[i + 1][j] - ey[i][j]);
    }
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 700);
    size_t matrix = (size_t)n * n;
    void *ex = allocate(matrix * sizeof(double));
    void *ey = allocate(matrix * sizeof(double));
    void *hz = allocate(matrix * sizeof(double));
    MEASURE((fill(ex, matrix, 1), fill(ey, matrix, 2), fill(hz, matrix, 3)), fdtd_2d(40, n, n, ex, ey, hz));
    add_to_hash(ex, matrix * sizeof(double));
    add_to_hash(ey, matrix * sizeof(double));
    add_to_hash(hz, matrix * sizeof(double));
    return report();
}
