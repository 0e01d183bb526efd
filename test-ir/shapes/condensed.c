// 54. Distances of all pairs, in a row: the upper triangle
#include "shape.h"
KERNEL kernel(int n, int m, const double *X, double *out) {
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++) {
            double sum = 0;
            for (int k = 0; k < m; k++) sum += (X[i * m + k] - X[j * m + k]) * (X[i * m + k] - X[j * m + k]);
            *out++ = sum;
        }
}
static void run(int n, int m) {
    size_t size = (size_t)n * (n - 1) / 2;
    double *X = ARRAY(double, (size_t)n *m), *out = ARRAY(double, size);
    kernel(n, m, X, out);
    show(X, (size_t)n * m * 8), show(out, size * 8);
}
