// A filter of an image of which some points are missing: the weights of those that are there are summed up, too.
#include "../harness.h"

KERNEL masked_filter(int n, int size, const uint8_t there[n][n], const float in[n][n], const float weights[size][size], float out[n][n]) {
    for (int i = 0; i < n - size; i++)
        for (int j = 0; j < n - size; j++) {
            float sum = 0, of = 0;
            for (int p = 0; p < size; p++)
                for (int q = 0; q < size; q++)
                    if (there[i + p][j + q]) {
                        sum += weights[p][q] * in[i + p][j + q];
                        of += weights[p][q];
                    }
            out[i][j] = of > 0 ? sum / of : 0;
        }
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 400), size = 9;
    size_t count = (size_t)n * n;
    uint8_t *there = allocate(count);
    void *in = allocate(count * sizeof(float)), *out = allocate(count * sizeof(float)), *weights = allocate(size * size * sizeof(float));
    fill_floats(in, count, 1);
    fill_floats(weights, size * size, 2);
    for (size_t i = 0; i < count; i++) there[i] = value_at(i, 3) > 0.8;
    MEASURE(fill_floats(out, count, 4), masked_filter(n, size, (void *)there, in, weights, out));
    add_to_hash(out, count * sizeof(float));
    return report();
}
