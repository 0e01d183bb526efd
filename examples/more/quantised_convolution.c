// A layer of 3 x 3 filters over channels whose numbers are bytes, with sums of 32 bits: the channels of a point, and those of a filter, side by side.
#include "../harness.h"

KERNEL quantised(int c, int k, int n, int32_t out[n][n][k], uint8_t in[n + 2][n + 2][c], int8_t filter[k][3][3][c], int32_t bias[k]) {
    for (int y = 0; y < n; y++)
        for (int x = 0; x < n; x++)
            for (int o = 0; o < k; o++) {
                int32_t sum = bias[o];
                for (int p = 0; p < 3; p++)
                    for (int q = 0; q < 3; q++)
                        for (int i = 0; i < c; i++) sum += in[y + p][x + q][i] * filter[o][p][q][i];
                out[y][x][o] = sum > 0 ? sum : 0;
            }
}

int main(int argc, char **argv) {
    enum { IN = 64, OUT = 64 };
    int n = size_argument(argc, argv, 56);
    size_t in_count = (size_t)IN * (n + 2) * (n + 2), out_count = (size_t)OUT * n * n, weights = OUT * IN * 9;
    uint8_t *in = allocate(in_count);
    int8_t *filter = allocate(weights);
    int32_t *out = allocate(out_count * sizeof(int32_t)), *bias = allocate(OUT * sizeof(int32_t));
    for (size_t i = 0; i < in_count; i++) in[i] = (uint8_t)((value_at(i, 1) - 0.5) * 255.0);
    for (size_t i = 0; i < weights; i++) filter[i] = (int8_t)((value_at(i, 2) - 1.0) * 255.0);
    fill_ints(bias, OUT, 4);
    MEASURE(fill_ints(out, out_count, 3), quantised(IN, OUT, n, (void *)out, (void *)in, (void *)filter, bias));
    add_to_hash(out, out_count * sizeof(int32_t));
    return report();
}
