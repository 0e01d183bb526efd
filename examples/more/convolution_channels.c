// A layer of 3 x 3 filters over channels, in single precision, one plane a channel.
#include "../harness.h"

KERNEL convolution(int c, int k, int n, float out[k][n][n], float in[c][n + 2][n + 2], float filter[k][c][3][3]) {
    for (int o = 0; o < k; o++)
        for (int y = 0; y < n; y++)
            for (int x = 0; x < n; x++) {
                float sum = 0.0f;
                for (int i = 0; i < c; i++)
                    for (int p = 0; p < 3; p++)
                        for (int q = 0; q < 3; q++) sum += in[i][y + p][x + q] * filter[o][i][p][q];
                out[o][y][x] = sum;
            }
}

int main(int argc, char **argv) {
    enum { IN = 64, OUT = 64 };
    int n = size_argument(argc, argv, 56);
    size_t in_count = (size_t)IN * (n + 2) * (n + 2), out_count = (size_t)OUT * n * n, weights = OUT * IN * 9;
    void *in = allocate(in_count * sizeof(float));
    void *filter = allocate(weights * sizeof(float));
    void *out = allocate(out_count * sizeof(float));
    fill_floats(in, in_count, 1);
    fill_floats(filter, weights, 2);
    MEASURE(fill_floats(out, out_count, 3), convolution(IN, OUT, n, out, in, filter));
    add_to_hash(out, out_count * sizeof(float));
    return report();
}
