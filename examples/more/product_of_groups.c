// A layer of a language model whose weights are bytes, with a scale for each group of 32 of a column: n inputs, n features each, by n weights for each of n outputs.
#include "../harness.h"

KERNEL product_of_groups(int n, float out[n][n], float in[n][n], int8_t weights[n][n], float scales[n / 32][n]) {
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            for (int j = 0; j < n; j++) out[i][j] += in[i][k] * ((float)weights[k][j] * scales[k / 32][j]);
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 1024);
    size_t count = (size_t)n * n, groups = (size_t)(n / 32 + 1) * n, bytes = count * sizeof(float);
    int8_t *weights = allocate(count);
    void *out = allocate(bytes), *in = allocate(bytes), *scales = allocate(groups * sizeof(float));
    fill_floats(in, count, 1);
    fill_floats(scales, groups, 2);
    for (size_t i = 0; i < count; i++) weights[i] = (int8_t)((value_at(i, 3) - 1.0) * 255.0);
    MEASURE(fill_floats(out, count, 4), product_of_groups(n, out, in, (void *)weights, scales));
    add_to_hash(out, bytes);
    return report();
}
