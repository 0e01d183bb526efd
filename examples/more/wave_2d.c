// The wave equation on a grid: each step from the two before it, then all move on by one.
#include "../harness.h"

KERNEL wave_2d(int steps, int n, double c, double before[n][n], double here[n][n], double after[n][n]) {
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                after[i][j] = 2.0 * here[i][j] - before[i][j] +
                              c * (here[i - 1][j] + here[i + 1][j] + here[i][j - 1] + here[i][j + 1] - 4.0 * here[i][j]);
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++) {
                before[i][j] = here[i][j];
                here[i][j] = after[i][j];
            }
    }
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 1000);
    size_t count = (size_t)n * n, bytes = count * sizeof(double);
    void *before = allocate(bytes), *here = allocate(bytes), *after = allocate(bytes);
    MEASURE((fill(before, count, 1), fill(here, count, 2), fill(after, count, 3)), wave_2d(20, n, 0.1, before, here, after));
    add_to_hash(before, bytes);
    add_to_hash(here, bytes);
    return report();
}
