// One 3 x 3 filter for each channel, channels last, in single precision.
#include "../harness.h"

KERNEL convolution(int n, int c, float out[n][n][c], float in[n + 2][n + 2][c], float filter[3][3][c]) {
    for (int y = 0; y < n; y++)
        for (int x = 0; x < n; x++)
            for (int k = 0; k < c; k++) {
                float sum = 0.0f;
                for (int p = 0; p < 3; p++)
                    for (int q = 0; q < 3; q++) sum += in[y + p][x + q][k] * filter[p][q][k];
                out[y][x][k] = sum;
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
    MEASURE(fill_floats(out, out_count, 3), convolution(n, CHANNELS, out, in, filter));
    add_to_hash(out, out_count * sizeof(float));
    return report();
}
