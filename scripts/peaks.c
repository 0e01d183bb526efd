// What the core can do at most: billions of f64 operations a second in multiply-adds, and billions of bytes a second for vectors that
// lie in memory, and in the second-level cache. bench.py draws the roofline from these.
#include "../examples/harness.h"

#if defined(__AVX512F__)
enum { BYTES = 64 };
#elif defined(__AVX__)
enum { BYTES = 32 };
#else
enum { BYTES = 16 };
#endif
typedef double vector __attribute__((vector_size(BYTES)));

enum { CHAINS = 10, REPEATS = 1000000, IN_CACHE = 6000, IN_MEMORY = 16000000, TRIES = 20 };

// The best of several tries, each short enough to be left alone.
static double best(double a, double b) { return a > b ? a : b; }

static double multiply_adds(void) {
    vector sums[CHAINS], x = {0}, y = {0};
    for (int c = 0; c < CHAINS; c++) sums[c] = x + (double)(c + runs);
    x += 0.999 + runs * 1e-9, y += 1e-3;
    double most = 0.0;
    for (int t = 0; t < TRIES; t++) {
        double start = now();
        for (int r = 0; r < REPEATS; r++)
#pragma clang loop unroll(full)
            for (int c = 0; c < CHAINS; c++) sums[c] = sums[c] * x + y;
        most = best(most, 2e-9 * CHAINS * (BYTES / sizeof(double)) * REPEATS / (now() - start));
    }
    for (int c = 0; c < CHAINS; c++) add_to_hash(&sums[c], sizeof sums[c]);
    return most;
}

KERNEL triad(int n, double *restrict a, const double *restrict b, const double *restrict c) {
    for (int i = 0; i < n; i++) a[i] = b[i] + 1.5 * c[i];
}

static double bytes_moved(int n, int repeats) {
    size_t bytes = (size_t)n * sizeof(double);
    double *a = allocate(bytes), *b = allocate(bytes), *c = allocate(bytes);
    fill(b, n, 1), fill(c, n, 2);
    triad(n, a, b, c);
    double most = 0.0;
    for (int t = 0; t < TRIES; t++) {
        double start = now();
        for (int r = 0; r < repeats; r++) triad(n, a, b, c);
        most = best(most, 3e-9 * (double)bytes * repeats / (now() - start));
    }
    add_to_hash(a, 64);
    free(a), free(b), free(c);
    return most;
}

int main(int argc, char **argv) {
    (void)size_argument(argc, argv, 1);
    double operations = multiply_adds(), cache = bytes_moved(IN_CACHE, 300), memory = bytes_moved(IN_MEMORY, 1);
    printf("%.3f %.3f %.3f\n", operations, cache, memory);
    return hash == 0; // so that nothing of it is left out
}
