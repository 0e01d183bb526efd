// Two-dimensional convolution with a filter of 7 x 7, whose loops the compiler unrolls.
#include "../harness.h"

enum { W = 7 };

KERNEL convolution_seven(int n, float out[n - W + 1][n - W + 1], const float in[n][n], const float filter[W][W]) {
    for (int i = 0; i < n - W + 1; i++)
        for (int j = 0; j < n - W + 1; j++) {
            float sum = 0.0f;
            for (int p = 0; p < W; p++)
                for (int q = 0; q < W; q++) sum += in[i + p][j + q] * filter[p][q];
            out[i][j] = sum;
        }
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 1000);
    if (n < W) n = W;
    size_t count = (size_t)n * n, cells = (size_t)(n - W + 1) * (n - W + 1);
    void *in = allocate(count * sizeof(float)), *out = allocate(cells * sizeof(float)), *filter = allocate(W * W * sizeof(float));
    fill_floats(in, count, 1);
    fill_floats(filter, W * W, 2);
    MEASURE(fill_floats(out, cells, 3), convolution_seven(n, out, in, filter));
    add_to_hash(out, cells * sizeof(float));
    return report();
}
