// Product of two polynomials.
#include "../harness.h"

KERNEL polynomials(int n, int m, double *out, const double *a, const double *b) {
    for (int k = 0; k < n + m - 1; k++) out[k] = 0.0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) out[i + j] += a[i] * b[j];
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 4000);
    size_t bytes = (2 * (size_t)n - 1) * sizeof(double);
    void *a = allocate(n * sizeof(double)), *b = allocate(n * sizeof(double)), *out = allocate(bytes);
    fill(a, n, 1);
    fill(b, n, 2);
    MEASURE(fill(out, 2 * (size_t)n - 1, 3), polynomials(n, n, out, a, b));
    add_to_hash(out, bytes);
    return report();
}
