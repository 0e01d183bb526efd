// Toeplitz system by the recursion of Levinson and Durbin.
#include "../harness.h"

KERNEL durbin(int n, double r[n], double y[n], double z[n]) {
    y[0] = -r[0] * 0.1;
    double beta = 1.0, alpha = -r[0] * 0.1;
    for (int k = 1; k < n; k++) {
        beta = (1.0 - alpha * alpha) * beta + 2.0;
        double sum = 0.0;
        for (int i = 0; i < k; i++) sum += r[k - i - 1] * y[i];
        alpha = -(r[k] + sum) / beta * 0.1;
        for (int i = 0; i < k; i++) z[i] = y[i] + alpha * y[k - i - 1];
        for (int i = 0; i < k; i++) y[i] = z[i];
        y[k] = alpha;
    }
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 3000);
    size_t vector = (size_t)n;
    void *r = allocate(vector * sizeof(double));
    void *z = allocate(vector * sizeof(double));
    void *y = allocate(vector * sizeof(double));
    fill(r, vector, 1);
    MEASURE((fill(z, vector, 2), fill(y, vector, 3)), durbin(n, r, y, z));
    add_to_hash(z, vector * sizeof(double));
    add_to_hash(y, vector * sizeof(double));
    return report();
}
