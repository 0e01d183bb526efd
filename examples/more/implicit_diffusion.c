// One implicit step of diffusion along the slowest of three dimensions: a tridiagonal system for each point of a plane, with one row of scratch memory for all of them.
#include "../harness.h"

KERNEL implicit_diffusion(int n, double T[n][n][n], double scratch[n]) {
    for (int x = 0; x < n; x++)
        for (int y = 0; y < n; y++) {
            scratch[0] = -0.25;
            T[0][y][x] *= 0.5;
            for (int z = 1; z < n; z++) {
                double factor = 1.0 / (2.0 + 0.5 * scratch[z - 1]);
                scratch[z] = -0.5 * factor;
                T[z][y][x] = (T[z][y][x] + 0.5 * T[z - 1][y][x]) * factor;
            }
            for (int z = n - 2; z >= 0; z--) T[z][y][x] -= scratch[z] * T[z + 1][y][x];
        }
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 128);
    size_t line = (size_t)n, cube = line * line * line;
    void *T = allocate(cube * sizeof(double));
    void *scratch = allocate(line * sizeof(double));
    MEASURE((fill(T, cube, 1), fill(scratch, line, 2)), implicit_diffusion(n, T, scratch));
    add_to_hash(T, cube * sizeof(double));
    add_to_hash(scratch, line * sizeof(double));
    return report();
}
