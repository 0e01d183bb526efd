// A filter of any size over an image whose border goes on outside of it.
#include "../harness.h"

static int clamped(int p, int n) { return p < 0 ? 0 : p > n - 1 ? n - 1 : p; }

KERNEL clamped_filter(int n, int r, const float *in, const float *weights, float *out) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float sum = 0;
            for (int p = -r; p <= r; p++)
                for (int q = -r; q <= r; q++) sum += weights[(p + r) * (2 * r + 1) + q + r] * in[clamped(i + p, n) * n + clamped(j + q, n)];
            out[i * n + j] = sum;
        }
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 400), r = 3;
    size_t count = (size_t)n * n, of_weights = (size_t)(2 * r + 1) * (2 * r + 1);
    float *in = allocate(count * sizeof(float)), *out = allocate(count * sizeof(float)), *weights = allocate(of_weights * sizeof(float));
    fill_floats(in, count, 1);
    fill_floats(weights, of_weights, 2);
    MEASURE(fill_floats(out, count, 4), clamped_filter(n, r, in, weights, out));
    add_to_hash(out, count * sizeof(float));
    return report();
}
