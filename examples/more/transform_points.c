// One 4 x 4 matrix applied to many points, in single precision.
#include "../harness.h"

KERNEL transform_points(int n, float out[n][4], float M[4][4], float in[n][4]) {
    for (int p = 0; p < n; p++)
        for (int i = 0; i < 4; i++) {
            out[p][i] = 0.0f;
            for (int j = 0; j < 4; j++) out[p][i] += M[i][j] * in[p][j];
        }
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 100000);
    size_t numbers = (size_t)n * 4;
    void *M = allocate(16 * sizeof(float));
    void *in = allocate(numbers * sizeof(float));
    void *out = allocate(numbers * sizeof(float));
    fill_floats(M, 16, 1);
    fill_floats(in, numbers, 2);
    MEASURE(fill_floats(out, numbers, 3), transform_points(n, out, M, in));
    add_to_hash(out, numbers * sizeof(float));
    return report();
}
