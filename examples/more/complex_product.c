// Product of matrices of complex numbers, whose parts lie behind each other.
#include "../harness.h"

typedef struct {
    double re, im;
} number;

KERNEL complex_product(int n, number C[n][n], number A[n][n], number B[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double re = 0, im = 0;
            for (int k = 0; k < n; k++) {
                re += A[i][k].re * B[k][j].re - A[i][k].im * B[k][j].im;
                im += A[i][k].re * B[k][j].im + A[i][k].im * B[k][j].re;
            }
            C[i][j].re = re;
            C[i][j].im = im;
        }
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 500);
    size_t count = 2 * (size_t)n * n, bytes = count * sizeof(double);
    void *A = allocate(bytes), *B = allocate(bytes), *C = allocate(bytes);
    fill(A, count, 1);
    fill(B, count, 2);
    MEASURE(fill(C, count, 3), complex_product(n, C, A, B));
    add_to_hash(C, bytes);
    return report();
}
