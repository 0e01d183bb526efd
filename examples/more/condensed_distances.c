// Squared distances between all pairs of points, each pair once: the pointer to the result goes on over both loops.
#include "../harness.h"

enum { DIMENSIONS = 48 };

KERNEL condensed_distances(int n, int d, const double *X, double *out) {
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++) {
            const double *x = X + i * d, *y = X + j * d;
            double sum = 0.0;
            for (int k = 0; k < d; k++) {
                double difference = *x++ - *y++;
                sum += difference * difference;
            }
            *out++ = sum;
        }
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 1000);
    size_t points = (size_t)n * DIMENSIONS, pairs = (size_t)n * (n > 0 ? n - 1 : 0) / 2;
    void *X = allocate(points * sizeof(double));
    void *out = allocate(pairs * sizeof(double));
    fill(X, points, 1);
    MEASURE(fill(out, pairs, 2), condensed_distances(n, DIMENSIONS, X, out));
    add_to_hash(out, pairs * sizeof(double));
    return report();
}
