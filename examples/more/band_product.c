// A matrix that is a band times a full one: row i of the band has what lies up to w columns from the diagonal.
#include "../harness.h"

#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define MIN(a, b) ((a) < (b) ? (a) : (b))

enum { BAND = 40 };

KERNEL band_product(int n, int w, double c[n][n], double a[n][n], double b[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int k = MAX(0, i - w); k <= MIN(n - 1, i + w); k++) sum += a[i][k] * b[k][j];
            c[i][j] = sum;
        }
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 600);
    size_t size = (size_t)n * n;
    double *a = allocate(size * sizeof(double)), *b = allocate(size * sizeof(double)), *c = allocate(size * sizeof(double));
    fill(a, size, 1);
    fill(b, size, 2);
    MEASURE(fill(c, size, 3), band_product(n, BAND, (void *)c, (void *)a, (void *)b));
    add_to_hash(c, size * sizeof(double));
    return report();
}
