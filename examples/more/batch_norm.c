// Every channel shifted and scaled to mean zero and variance one over a batch of images; in single precision.
#include "../harness.h"

KERNEL batch_norm(int b, int c, int n, float out[b][c][n][n], float in[b][c][n][n], float mean[c], float variance[c]) {
    for (int k = 0; k < c; k++) {
        mean[k] = 0.0f;
        for (int i = 0; i < b; i++)
            for (int y = 0; y < n; y++)
                for (int x = 0; x < n; x++) mean[k] += in[i][k][y][x];
        mean[k] /= (float)b * n * n;
        variance[k] = 0.0f;
        for (int i = 0; i < b; i++)
            for (int y = 0; y < n; y++)
                for (int x = 0; x < n; x++) variance[k] += (in[i][k][y][x] - mean[k]) * (in[i][k][y][x] - mean[k]);
        variance[k] /= (float)b * n * n;
    }
    for (int i = 0; i < b; i++)
        for (int k = 0; k < c; k++)
            for (int y = 0; y < n; y++)
                for (int x = 0; x < n; x++) out[i][k][y][x] = (in[i][k][y][x] - mean[k]) / sqrtf(variance[k] + 1e-5f);
}

int main(int argc, char **argv) {
    enum { BATCH = 16, CHANNELS = 32 };
    int n = size_argument(argc, argv, 56);
    size_t count = (size_t)BATCH * CHANNELS * n * n;
    void *in = allocate(count * sizeof(float));
    void *out = allocate(count * sizeof(float));
    float mean[CHANNELS], variance[CHANNELS];
    fill_floats(in, count, 1);
    MEASURE((fill_floats(out, count, 2), fill_floats(mean, CHANNELS, 3), fill_floats(variance, CHANNELS, 4)),
            batch_norm(BATCH, CHANNELS, n, out, in, mean, variance));
    add_to_hash(out, count * sizeof(float));
    add_to_hash(mean, sizeof mean);
    add_to_hash(variance, sizeof variance);
    return report();
}
