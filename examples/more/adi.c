// Alternating directions: recurrences along columns, then along rows.
#include "../harness.h"

KERNEL adi(int steps, int n, double u[n][n], double v[n][n], double p[n][n], double q[n][n]) {
    double a = -0.25, b = 1.5, c = a, d = -0.5, e = 2.0, f = d;
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++) {
            v[0][i] = 1.0;
            p[i][0] = 0.0;
            q[i][0] = v[0][i];
            for (int j = 1; j < n - 1; j++) {
                p[i][j] = -c / (a * p[i][j - 1] + b);
                q[i][j] = (-d * u[j][i - 1] + (1.0 + 2.0 * d) * u[j][i] - f * u[j][i + 1] - a * q[i][j - 1]) / (a * p[i][j - 1] + b);
            }
            v[n - 1][i] = 1.0;
            for (int j = n - 2; j >= 1; j--) v[j][i] = p[i][j] * v[j + 1][i] + q[i][j];
        }
        for (int i = 1; i < n - 1; i++) {
            u[i][0] = 1.0;
            p[i][0] = 0.0;
            q[i][0] = u[i][0];
            for (int j = 1; j < n - 1; j++) {
                p[i][j] = -f / (d * p[i][j - 1] + e);
                q[i][j] = (-a * v[i - 1][j] + (1.0 + 2.0 * a) * v[i][j] - c * v[i + 1][j] - d * q[i][j - 1]) / (d * p[i][j - 1] + e);
            }
            u[i][n - 1] = 1.0;
            for (int j = n - 2; j >= 1; j--) u[i][j] = p[i][j] * u[i][j + 1] + q[i][j];
        }
    }
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 400);
    size_t matrix = (size_t)n * n;
    void *u = allocate(matrix * sizeof(double));
    void *v = allocate(matrix * sizeof(double));
    void *p = allocate(matrix * sizeof(double));
    void *q = allocate(matrix * sizeof(double));
    MEASURE((fill(u, matrix, 1), fill(v, matrix, 2), fill(p, matrix, 3), fill(q, matrix, 4)), adi(10, n, u, v, p, q));
    add_to_hash(u, matrix * sizeof(double));
    add_to_hash(v, matrix * sizeof(double));
    add_to_hash(p, matrix * sizeof(double));
    add_to_hash(q, matrix * sizeof(double));
    return report();
}
