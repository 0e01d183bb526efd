// An image blurred along rows, then along columns, in single precision.
#include "../harness.h"

KERNEL box_blur(int n, float out[n][n], float across[n][n], float in[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 1; j < n - 1; j++) across[i][j] = (in[i][j - 1] + in[i][j] + in[i][j + 1]) * (1.0f / 3.0f);
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++) out[i][j] = (across[i - 1][j] + across[i][j] + across[i + 1][j]) * (1.0f / 3.0f);
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 2000);
    size_t count = (size_t)n * n, bytes = count * sizeof(float);
    void *in = allocate(bytes), *across = allocate(bytes), *out = allocate(bytes);
    fill_floats(in, count, 1);
    MEASURE((fill_floats(across, count, 2), fill_floats(out, count, 3)), box_blur(n, out, across, in));
    add_to_hash(across, bytes);
    add_to_hash(out, bytes);
    return report();
}
