// The edges of a picture: how fast its brightness changes in both directions.
#include "../harness.h"

KERNEL sobel(int n, unsigned char out[n][n], unsigned char in[n][n]) {
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++) {
            int across = in[i - 1][j + 1] + 2 * in[i][j + 1] + in[i + 1][j + 1]
                       - in[i - 1][j - 1] - 2 * in[i][j - 1] - in[i + 1][j - 1];
            int down = in[i + 1][j - 1] + 2 * in[i + 1][j] + in[i + 1][j + 1]
                     - in[i - 1][j - 1] - 2 * in[i - 1][j] - in[i - 1][j + 1];
            int change = abs(across) + abs(down);
            out[i][j] = change > 255 ? 255 : change;
        }
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 1500);
    size_t count = (size_t)n * n;
    unsigned char *in = allocate(count), *out = allocate(count);
    for (size_t i = 0; i < count; i++) in[i] = (unsigned char)(value_at(i, 1) * 160.0);
    MEASURE((void)0, sobel(n, (void *)out, (void *)in));
    add_to_hash(out, count);
    return report();
}
