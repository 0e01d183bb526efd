// A weighted sum over the 3 x 3 x 3 neighbours of every point, once.
#include "../harness.h"

KERNEL stencil(int n, double out[n][n][n], double in[n][n][n], double weight[3][3][3]) {
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            for (int k = 1; k < n - 1; k++) {
                double sum = 0.0;
                for (int p = 0; p < 3; p++)
                    for (int q = 0; q < 3; q++)
                        for (int r = 0; r < 3; r++) sum += weight[p][q][r] * in[i + p - 1][j + q - 1][k + r - 1];
                out[i][j][k] = sum;
            }
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 160);
    size_t cube = (size_t)n * n * n;
    void *in = allocate(cube * sizeof(double));
    void *out = allocate(cube * sizeof(double));
    void *weight = allocate(27 * sizeof(double));
    fill(in, cube, 1);
    fill(weight, 27, 2);
    MEASURE(fill(out, cube, 3), stencil(n, out, in, weight));
    add_to_hash(out, cube * sizeof(double));
    return report();
}
