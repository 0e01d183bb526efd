// Two series convolved, as products of polynomials are: the sum runs over what both have, from the greater of two numbers to the less of two.
#include "../harness.h"

#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define MIN(a, b) ((a) < (b) ? (a) : (b))

KERNEL convolution_full(int n, int m, double out[n + m - 1], double x[n], double w[m]) {
    for (int i = 0; i < n + m - 1; i++) {
        double sum = 0;
        for (int k = MAX(0, i - n + 1); k <= MIN(i, m - 1); k++) sum += w[k] * x[i - k];
        out[i] = sum;
    }
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 2000);
    double *x = allocate(n * sizeof(double)), *w = allocate(n * sizeof(double));
    double *out = allocate((2 * (size_t)n - 1) * sizeof(double));
    fill(x, n, 1);
    fill(w, n, 2);
    MEASURE(fill(out, 2 * (size_t)n - 1, 3), convolution_full(n, n, out, x, w));
    add_to_hash(out, (2 * (size_t)n - 1) * sizeof(double));
    return report();
}
