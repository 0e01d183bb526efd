// A step of the heat equation on a grid that closes: the neighbours of the last point are the first ones.
#include "../harness.h"

KERNEL closed_grid(int n, const double *in, double *out) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            int below = (i + 1) % n, above = (i - 1 + n) % n, right = (j + 1) % n, left = (j - 1 + n) % n;
            out[i * n + j] = in[i * n + j] + 0.125 * (in[below * n + j] + in[above * n + j] + in[i * n + right] + in[i * n + left] - 4 * in[i * n + j]);
        }
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 400);
    size_t count = (size_t)n * n;
    double *in = allocate(count * sizeof(double)), *out = allocate(count * sizeof(double));
    fill(in, count, 1);
    MEASURE(fill(out, count, 2), closed_grid(n, in, out));
    add_to_hash(out, count * sizeof(double));
    return report();
}
