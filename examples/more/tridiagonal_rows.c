// A tridiagonal system in every row (Thomas's algorithm): forward, then backward along the row.
#include "../harness.h"

KERNEL tridiagonal_rows(int n, double a[n][n], double b[n][n], double c[n][n], double d[n][n]) {
    for (int i = 0; i < n; i++) {
        for (int j = 1; j < n; j++) {
            double w = a[i][j] / b[i][j - 1];
            b[i][j] -= w * c[i][j - 1];
            d[i][j] -= w * d[i][j - 1];
        }
        d[i][n - 1] /= b[i][n - 1];
        for (int j = n - 2; j >= 0; j--) d[i][j] = (d[i][j] - c[i][j] * d[i][j + 1]) / b[i][j];
    }
}

// A diagonal that outweighs its neighbours.
static void set(double *a, double *b, double *c, double *d, size_t count) {
    fill(a, count, 1);
    fill(b, count, 2);
    fill(c, count, 3);
    fill(d, count, 4);
    for (size_t i = 0; i < count; i++) b[i] += 4.0;
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 1000);
    size_t count = (size_t)n * n, bytes = count * sizeof(double);
    double *a = allocate(bytes), *b = allocate(bytes), *c = allocate(bytes), *d = allocate(bytes);
    MEASURE(set(a, b, c, d, count), tridiagonal_rows(n, (void *)a, (void *)b, (void *)c, (void *)d));
    add_to_hash(b, bytes);
    add_to_hash(d, bytes);
    return report();
}
