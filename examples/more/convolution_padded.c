// Convolution of a picture with a filter whose middle lies on the point: beyond the edges there is nothing.
#include "../harness.h"

KERNEL convolution_padded(int n, int m, float out[n][n], float in[n][n], float filter[m][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float sum = 0;
            for (int u = 0; u < m; u++)
                for (int v = 0; v < m; v++) {
                    int y = i + u - m / 2, x = j + v - m / 2;
                    if (y >= 0 && y < n && x >= 0 && x < n) sum += in[y][x] * filter[u][v];
                }
            out[i][j] = sum;
        }
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 800);
    int m = 5;
    size_t count = (size_t)n * n;
    float *in = allocate(count * sizeof(float)), *out = allocate(count * sizeof(float));
    float *filter = allocate((size_t)m * m * sizeof(float));
    fill_floats(in, count, 1);
    fill_floats(filter, (size_t)m * m, 2);
    MEASURE(fill_floats(out, count, 3), convolution_padded(n, m, (void *)out, (void *)in, (void *)filter));
    add_to_hash(out, count * sizeof(float));
    return report();
}
