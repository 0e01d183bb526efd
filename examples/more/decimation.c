// A filter of 64 taps of which every fourth value is kept.
#include "../harness.h"

KERNEL decimation(int n, int taps, float out[n], float in[4 * n + taps], float filter[taps]) {
    for (int i = 0; i < n; i++) {
        float sum = 0;
        for (int k = 0; k < taps; k++) sum += filter[k] * in[4 * i + k];
        out[i] = sum;
    }
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 20000), taps = 64;
    size_t inputs = (size_t)4 * n + taps;
    void *out = allocate(n * sizeof(float)), *in = allocate(inputs * sizeof(float)), *filter = allocate(taps * sizeof(float));
    fill_floats(in, inputs, 1);
    fill_floats(filter, taps, 2);
    MEASURE(fill_floats(out, n, 3), decimation(n, taps, out, in, filter));
    add_to_hash(out, n * sizeof(float));
    return report();
}
