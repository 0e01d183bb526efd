// Second-order filters over many channels: every sample waits for the one before it.
#include "../harness.h"

KERNEL biquads(int channels, int samples, float out[channels][samples], float in[channels][samples]) {
    for (int c = 0; c < channels; c++) {
        float s = 0.0f, t = 0.0f;
        for (int j = 0; j < samples; j++) {
            float x = in[c][j], y = 0.2f * x + s;
            s = 0.4f * x + 0.3f * y + t;
            t = 0.2f * x - 0.1f * y;
            out[c][j] = y;
        }
    }
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 1000);
    size_t count = (size_t)n * n, bytes = count * sizeof(float);
    void *in = allocate(bytes), *out = allocate(bytes);
    fill_floats(in, count, 1);
    MEASURE(fill_floats(out, count, 2), biquads(n, n, out, in));
    add_to_hash(out, bytes);
    return report();
}
