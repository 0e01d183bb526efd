// A layer of a network: 3 x 3 filters over channels, with as many points behind it as before it. Beyond the edges there is nothing.
#include "../harness.h"

enum { CHANNELS = 32, FILTERS = 32 };

KERNEL convolution_same(int n, int channels, int filters, float out[filters][n][n], float in[channels][n][n],
                        float weights[filters][channels][3][3]) {
    for (int f = 0; f < filters; f++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                float sum = 0;
                for (int c = 0; c < channels; c++)
                    for (int u = -1; u <= 1; u++)
                        for (int v = -1; v <= 1; v++) {
                            int y = i + u, x = j + v;
                            if (y >= 0 && y < n && x >= 0 && x < n) sum += in[c][y][x] * weights[f][c][u + 1][v + 1];
                        }
                out[f][i][j] = sum;
            }
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 56);
    size_t points = (size_t)n * n, count = CHANNELS * FILTERS * 9;
    float *in = allocate(CHANNELS * points * sizeof(float)), *out = allocate(FILTERS * points * sizeof(float));
    float *weights = allocate(count * sizeof(float));
    fill_floats(in, CHANNELS * points, 1);
    fill_floats(weights, count, 2);
    MEASURE(fill_floats(out, FILTERS * points, 3),
            convolution_same(n, CHANNELS, FILTERS, (void *)out, (void *)in, (void *)weights));
    add_to_hash(out, FILTERS * points * sizeof(float));
    return report();
}
