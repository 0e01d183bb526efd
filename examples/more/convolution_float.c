// Two-dimensional convolution with a small filter, in single precision.
#include "../harness.h"

KERNEL convolution(int n, int w, float out[n - w + 1][n - w + 1], float in[n][n], float filter[w][w]) {
    for (int i = 0; i < n - w + 1; i++)
        for (int j = 0; j < n - w + 1; j++) {
            out[i][j] = 0.0f;
            for (int p = 0; p < w; p++)
                for (int q = 0; q < w; q++) out[i][j] += in[i + p][j + q] * filter[p][q];
        }
}

int main(int argc, char **argv) {
    enum { W = 5 };
    int n = size_argument(argc, argv, 1000);
    if (n < W) n = W;
    size_t count = (size_t)n * n, bytes = count * sizeof(float);
    void *in = allocate(bytes), *out = allocate(bytes), *filter = allocate(W * W * sizeof(float));
    fill_floats(in, count, 1);
    fill_floats(filter, W * W, 2);
    MEASURE(fill_floats(out, count, 3), convolution(n, W, out, in, filter));
    add_to_hash(out, bytes);
    return report();
}
