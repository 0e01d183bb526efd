// A layer of a network whose numbers are bytes, with sums of 32 bits: each of n inputs, n features each, by n weights for each of n outputs.
#include "../harness.h"

KERNEL quantised_layer(int n, int32_t out[n][n], int8_t in[n][n], int8_t weights[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            int32_t sum = 0;
            for (int k = 0; k < n; k++) sum += in[i][k] * weights[j][k];
            out[i][j] = sum;
        }
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 1024);
    size_t count = (size_t)n * n;
    int8_t *in = allocate(count), *weights = allocate(count);
    int32_t *out = allocate(count * sizeof(int32_t));
    for (size_t i = 0; i < count; i++) {
        in[i] = (int8_t)((value_at(i, 1) - 1.0) * 255.0);
        weights[i] = (int8_t)((value_at(i, 2) - 1.0) * 255.0);
    }
    MEASURE(fill_ints(out, count, 3), quantised_layer(n, (void *)out, (void *)in, (void *)weights));
    add_to_hash(out, count * sizeof(int32_t));
    return report();
}
