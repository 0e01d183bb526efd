// Two-dimensional convolution with a small filter.
#include "harness.h"

KERNEL convolution(int n, int w, double out[n - w + 1][n - w + 1], double in[n][n], double filter[w][w]) {
    for (int i = 0; i < n - w + 1; i++)
        for (int j = 0; j < n - w + 1; j++) {
            out[i][j] = 0.0;
            for (int p = 0; p < w; p++)
                for (int q = 0; q < w; q++) out[i][j] += in[i + p][j + q] * filter[p][q];
        }
}

int main(int argc, char **argv) {
    enum { W = 5 };
    int n = size_argument(argc, argv, 1000);
    if (n < W) n = W;
    size_t count = (size_t)n * n, bytes = count * sizeof(double);
    void *in = allocate(bytes), *out = allocate(bytes), *filter = allocate(W * W * sizeof(double));
    fill(in, count, 1);
    fill(filter, W * W, 2);
    MEASURE(fill(out, count, 3), convolution(n, W, out, in, filter));
    add_to_hash(out, bytes);
    return report();
}
