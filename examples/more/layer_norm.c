// Every row shifted and scaled to mean zero and variance one, then by learned factors; in single precision.
#include "../harness.h"

KERNEL layer_norm(int n, int m, float out[n][m], float in[n][m], float gain[m], float bias[m]) {
    for (int i = 0; i < n; i++) {
        float mean = 0.0f, variance = 0.0f;
        for (int j = 0; j < m; j++) mean += in[i][j];
        mean /= (float)m;
        for (int j = 0; j < m; j++) variance += (in[i][j] - mean) * (in[i][j] - mean);
        variance /= (float)m;
        for (int j = 0; j < m; j++) out[i][j] = (in[i][j] - mean) / sqrtf(variance + 1e-5f) * gain[j] + bias[j];
    }
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 1024);
    size_t matrix = (size_t)n * n;
    void *in = allocate(matrix * sizeof(float));
    void *gain = allocate(n * sizeof(float));
    void *bias = allocate(n * sizeof(float));
    void *out = allocate(matrix * sizeof(float));
    fill_floats(in, matrix, 1);
    fill_floats(gain, n, 2);
    fill_floats(bias, n, 3);
    MEASURE(fill_floats(out, matrix, 4), layer_norm(n, n, out, in, gain, bias));
    add_to_hash(out, matrix * sizeof(float));
    return report();
}
