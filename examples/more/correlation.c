// Correlation matrix of m variables from n observations.
#include "../harness.h"

KERNEL correlation(int m, int n, double data[n][m], double corr[m][m], double mean[m], double deviation[m]) {
    for (int j = 0; j < m; j++) {
        mean[j] = 0.0;
        for (int i = 0; i < n; i++) mean[j] += data[i][j];
        mean[j] /= n;
    }
    for (int j = 0; j < m; j++) {
        deviation[j] = 0.0;
        for (int i = 0; i < n; i++) deviation[j] += (data[i][j] - mean[j]) * (data[i][j] - mean[j]);
        deviation[j] = sqrt(deviation[j] / n);
        deviation[j] = deviation[j] <= 0.1 ? 1.0 : deviation[j];
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            data[i][j] -= mean[j];
            data[i][j] /= sqrt(n) * deviation[j];
        }
    for (int i = 0; i < m - 1; i++) {
        corr[i][i] = 1.0;
        for (int j = i + 1; j < m; j++) {
            corr[i][j] = 0.0;
            for (int k = 0; k < n; k++) corr[i][j] += data[k][i] * data[k][j];
            corr[j][i] = corr[i][j];
        }
    }
    corr[m - 1][m - 1] = 1.0;
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 500);
    size_t vector = (size_t)n, matrix = vector * vector;
    void *data = allocate(matrix * sizeof(double));
    void *corr = allocate(matrix * sizeof(double));
    void *mean = allocate(vector * sizeof(double));
    void *deviation = allocate(vector * sizeof(double));
    MEASURE((fill(data, matrix, 1), fill(corr, matrix, 2), fill(mean, vector, 3), fill(deviation, vector, 4)), correlation(n, n, data, corr, mean, deviation));
    add_to_hash(data, matrix * sizeof(double));
    add_to_hash(corr, matrix * sizeof(double));
    add_to_hash(mean, vector * sizeof(double));
    add_to_hash(deviation, vector * sizeof(double));
    return report();
}
