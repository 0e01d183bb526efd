// A layer of 3 x 3 filters over channels, in single precision, the channels of a point side by side.
#include "../harness.h"

KERNEL convolution(int c, int k, int n, float out[n][n][k], float in[n + 2][n + 2][c], float filter[3][3][c][k]) {
    for (int y = 0; y < n; y++)
        for (int x = 0; x < n; x++)
            for (int o = 0; o < k; o++) {
                out[y][x][o] = 0.0f;
                for (int p = 0; p < 3; p++)
                    for (int q = 0; q < 3; q++)
                        for (int i = 0; i < c; i++) out[y][x][o] += in[y + p][x + q][i] * filter[p][q][i][o];
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
