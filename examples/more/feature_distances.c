// Squared distances of all pairs of points, each pair once: of 32 features, whose loop the compiler unrolls.
#include "../harness.h"

enum { FEATURES = 32 };

KERNEL feature_distances(int n, const float X[n][FEATURES], float out[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) {
            float sum = 0.0f;
            for (int k = 0; k < FEATURES; k++) {
                float difference = X[i][k] - X[j][k];
                sum += difference * difference;
            }
            out[i][j] = sum;
        }
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 1000);
    size_t points = (size_t)n * FEATURES, cells = (size_t)n * n;
    void *X = allocate(points * sizeof(float)), *out = allocate(cells * sizeof(float));
    fill_floats(X, points, 1);
    MEASURE(fill_floats(out, cells, 2), feature_distances(n, X, out));
    add_to_hash(out, cells * sizeof(float));
    return report();
}
