// One 3 x 3 filter for each channel, in single precision.
#include "../harness.h"

KERNEL convolution(int c, int n, float out[c][n][n], float in[c][n + 2][n + 2], float filter[c][3][3]) {
    for (int i = 0; i < c; i++)
        for (int y = 0; y < n; y++)
            for (int x = 0; x < n; x++) {
                out[i][y][x] = 0.0f;
                for (int p = 0; p < 3; p++)
                    for (int q = 0; q < 3; q++) out[i][y][x] += in[i][y + p][x + q] * filter[i][p][q];
            }
}

int main(int argc, char **argv) {
    enum { CHANNELS = 64 };
    int n = size_argument(argc, argv, 112);
    size_t in_count = (size_t)CHANNELS * (n + 2) * (n + 2), out_count = (size_t)CHANNELS * n * n;
    void *in = allocate(in_count * sizeof(float));
    void *filter = allocate(CHANNELS * 9 * sizeof(float));
    void *out = allocate(out_count * sizeof(float));
    fill_floats(in, in_count, 1);
    fill_floats(filter, CHANNELS * 9, 2);
    MEASURE(fill_floats(out, out_count, 3), convolution(CHANNELS, n, out, in, filter));
    add_to_hash(out, out_count * sizeof(float));
    return report();
}
