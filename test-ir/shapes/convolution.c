// 21. A convolution in two dimensions.
#include "shape.h"
KERNEL kernel(int n, int m, int r, float *out, const float *in, const float *w) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            float s = 0;
            for (int p = 0; p < r; p++)
                for (int q = 0; q < r; q++) s += in[(i + p) * (m + r - 1) + j + q] * w[p * r + q];
            out[i * m + j] = s;
        }
}
static void run(int n, int m) {
    int r = n % 4 + 1;
    size_t size = (size_t)(n + r - 1) * (m + r - 1);
    float *out = ARRAY(float, (size_t)n * m), *in = ARRAY(float, size), *w = ARRAY(float, r * r);
    kernel(n, m, r, out, in, w);
    show(out, (size_t)n * m * 4), show(in, size * 4), show(w, (size_t)r * r * 4);
}
