// A filter of m by m points over pixels of three colours, in single precision: the sums of all colours side by side, as one writes it.
#include "../harness.h"

KERNEL pixel_filter(int n, int m, float out[n][n][3], float in[n + m][n + m][3], float w[m][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float red = 0.0f, green = 0.0f, blue = 0.0f;
            for (int u = 0; u < m; u++)
                for (int v = 0; v < m; v++) {
                    red += in[i + u][j + v][0] * w[u][v];
                    green += in[i + u][j + v][1] * w[u][v];
                    blue += in[i + u][j + v][2] * w[u][v];
                }
            out[i][j][0] = red;
            out[i][j][1] = green;
            out[i][j][2] = blue;
        }
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 400), m = 7;
    size_t outputs = (size_t)n * n * 3, inputs = (size_t)(n + m) * (n + m) * 3, weights = (size_t)m * m;
    void *in = allocate(inputs * sizeof(float)), *w = allocate(weights * sizeof(float));
    void *out = allocate(outputs * sizeof(float));
    fill_floats(in, inputs, 1);
    fill_floats(w, weights, 2);
    MEASURE(fill_floats(out, outputs, 3), pixel_filter(n, m, out, in, w));
    add_to_hash(out, outputs * sizeof(float));
    return report();
}
