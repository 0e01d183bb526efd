// Every row divided by its root mean square, then scaled by learned factors; in single precision.
#include "../harness.h"

KERNEL rms_norm(int n, int m, float out[n][m], float in[n][m], float gain[m]) {
    for (int i = 0; i < n; i++) {
        float sum = 0.0f;
        for (int j = 0; j < m; j++) sum += in[i][j] * in[i][j];
        float scale = 1.0f / sqrtf(sum / (float)m + 1e-5f);
        for (int j = 0; j < m; j++) out[i][j] = gain[j] * (scale * in[i][j]);
    }
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 1024);
    size_t matrix = (size_t)n * n;
    void *in = allocate(matrix * sizeof(float));
    void *gain = allocate(n * sizeof(float));
    void *out = allocate(matrix * sizeof(float));
    fill_floats(in, matrix, 1);
    fill_floats(gain, n, 2);
    MEASURE(fill_floats(out, matrix, 3), rms_norm(n, n, out, in, gain));
    add_to_hash(out, matrix * sizeof(float));
    return report();
}
