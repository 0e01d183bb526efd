// A fully connected layer: weights, bias, and what is negative becomes zero; in single precision.
#include "../harness.h"

KERNEL dense_layer(int batch, int n, int m, float out[batch][m], float in[batch][n], float weights[m][n], float bias[m]) {
    for (int b = 0; b < batch; b++)
        for (int o = 0; o < m; o++) {
            float sum = bias[o];
            for (int i = 0; i < n; i++) sum += in[b][i] * weights[o][i];
            out[b][o] = sum > 0.0f ? sum : 0.0f;
        }
}

int main(int argc, char **argv) {
    enum { BATCH = 64 };
    int n = size_argument(argc, argv, 1024);
    size_t matrix = (size_t)n * n, rows = (size_t)BATCH * n;
    void *in = allocate(rows * sizeof(float));
    void *weights = allocate(matrix * sizeof(float));
    void *bias = allocate(n * sizeof(float));
    void *out = allocate(rows * sizeof(float));
    fill_floats(in, rows, 1);
    fill_floats(weights, matrix, 2);
    fill_floats(bias, n, 3);
    MEASURE(fill_floats(out, rows, 4), dense_layer(BATCH, n, n, out, in, weights, bias));
    add_to_hash(out, rows * sizeof(float));
    return report();
}
