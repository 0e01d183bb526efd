// Covariance matrix of m variables from n observations.
#include "harness.h"

KERNEL covariance(int m, int n, double data[n][m], double cov[m][m], double mean[m]) {
    for (int j = 0; j < m; j++) {
        mean[j] = 0.0;
        for (int i = 0; i < n; i++) mean[j] += data[i][j];
        mean[j] /= n;
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) data[i][j] -= mean[j];
    for (int i = 0; i < m; i++)
        for (int j = i; j < m; j++) {
            cov[i][j] = 0.0;
            for (int k = 0; k < n; k++) cov[i][j] += data[k][i] * data[k][j];
            cov[i][j] /= n - 1.0;
            cov[j][i] = cov[i][j];
        }
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 500);
    size_t count = (size_t)n * n, bytes = count * sizeof(double);
    void *data = allocate(bytes), *cov = allocate(bytes), *mean = allocate(n * sizeof(double));
    MEASURE((fill(data, count, 1), fill(cov, count, 2), fill(mean, n, 3)), covariance(n, n, data, cov, mean));
    add_to_hash(data, bytes);
    add_to_hash(cov, bytes);
    add_to_hash(mean, n * sizeof(double));
    return report();
}
