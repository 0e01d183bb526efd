// Twelve features of each of n samples, by their means and scales: rows of a few columns, a number that the compiler knows.
#include "../harness.h"

#define FEATURES 12

KERNEL standardise(int n, double out[n][FEATURES], double in[n][FEATURES], double mean[FEATURES],
                   double scale[FEATURES]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < FEATURES; j++) out[i][j] = (in[i][j] - mean[j]) * scale[j];
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 2000);
    size_t numbers = (size_t)n * FEATURES;
    void *in = allocate(numbers * sizeof(double));
    void *out = allocate(numbers * sizeof(double));
    void *mean = allocate(FEATURES * sizeof(double));
    void *scale = allocate(FEATURES * sizeof(double));
    fill(in, numbers, 1);
    fill(mean, FEATURES, 2);
    fill(scale, FEATURES, 3);
    MEASURE(fill(out, numbers, 4), standardise(n, out, in, mean, scale));
    add_to_hash(out, numbers * sizeof(double));
    return report();
}
