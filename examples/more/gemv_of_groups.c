// One token through such a layer: the weights lie by outputs, and a scale belongs to each group of 32 of a row.
#include "../harness.h"

KERNEL gemv_of_groups(int n, float out[n], float in[n], int8_t weights[n][n], float scales[n][n / 32]) {
    for (int i = 0; i < n; i++) {
        float sum = 0;
        for (int k = 0; k < n; k++) sum += in[k] * ((float)weights[i][k] * scales[i][k / 32]);
        out[i] = sum;
    }
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 2048);
    size_t count = (size_t)n * n, groups = (size_t)(n / 32 + 1) * n;
    int8_t *weights = allocate(count);
    void *out = allocate(n * sizeof(float)), *in = allocate(n * sizeof(float)), *scales = allocate(groups * sizeof(float));
    fill_floats(in, n, 1);
    fill_floats(scales, groups, 2);
    for (size_t i = 0; i < count; i++) weights[i] = (int8_t)((value_at(i, 3) - 1.0) * 255.0);
    MEASURE(fill_floats(out, n, 4), gemv_of_groups(n, out, in, (void *)weights, scales));
    add_to_hash(out, n * sizeof(float));
    return report();
}
