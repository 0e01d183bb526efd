// Two-dimensional transposed convolution with a small filter: every point is added to a window.
#include "../harness.h"

KERNEL convolution_transposed(int n, int w, double out[n + w - 1][n + w - 1], double in[n][n], double filter[w][w]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int p = 0; p < w; p++)
                for (int q = 0; q < w; q++) out[i + p][j + q] += in[i][j] * filter[p][q];
}

int main(int argc, char **argv) {
    enum { W = 5 };
    int n = size_argument(argc, argv, 1000);
    size_t count = (size_t)n * n, cells = (size_t)(n + W - 1) * (n + W - 1), bytes = cells * sizeof(double);
    void *in = allocate(count * sizeof(double)), *out = allocate(bytes), *filter = allocate(W * W * sizeof(double));
    fill(in, count, 1);
    fill(filter, W * W, 2);
    MEASURE(fill(out, cells, 3), convolution_transposed(n, W, out, in, filter));
    add_to_hash(out, bytes);
    return report();
}
