// Two-dimensional convolution of an image of bytes with a small filter of 16-bit numbers.
#include "../harness.h"

KERNEL convolution_bytes(int n, int w, int32_t out[n - w + 1][n - w + 1], uint8_t in[n][n], int16_t filter[w][w]) {
    for (int i = 0; i < n - w + 1; i++)
        for (int j = 0; j < n - w + 1; j++) {
            int32_t sum = 0;
            for (int p = 0; p < w; p++)
                for (int q = 0; q < w; q++) sum += in[i + p][j + q] * filter[p][q];
            out[i][j] = sum;
        }
}

int main(int argc, char **argv) {
    enum { W = 5 };
    int n = size_argument(argc, argv, 1000);
    if (n < W) n = W;
    size_t count = (size_t)n * n;
    uint8_t *in = allocate(count);
    int16_t filter[W * W];
    int32_t *out = allocate(count * sizeof(int32_t));
    for (size_t i = 0; i < count; i++) in[i] = (uint8_t)((value_at(i, 1) - 0.5) * 255.0);
    for (size_t i = 0; i < W * W; i++) filter[i] = (int16_t)((value_at(i, 2) - 1.0) * 1000.0);
    MEASURE(fill_ints(out, count, 3), convolution_bytes(n, W, (void *)out, (void *)in, (void *)filter));
    add_to_hash(out, count * sizeof(int32_t));
    return report();
}
