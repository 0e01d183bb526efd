// 23. Products of complex matrices, real and imaginary parts side by side.
#include "shape.h"
struct complex { double re, im; };
KERNEL kernel(int n, struct complex *C, const struct complex *A, const struct complex *B) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++) {
                C[i * n + j].re += A[i * n + k].re * B[k * n + j].re - A[i * n + k].im * B[k * n + j].im;
                C[i * n + j].im += A[i * n + k].re * B[k * n + j].im + A[i * n + k].im * B[k * n + j].re;
            }
}
static void run(int n, int m) {
    (void)m;
    size_t size = (size_t)n * n;
    double *C = ARRAY(double, 2 * size), *A = ARRAY(double, 2 * size), *B = ARRAY(double, 2 * size);
    kernel(n, (struct complex *)C, (struct complex *)A, (struct complex *)B);
    show(C, size * 16), show(A, size * 16), show(B, size * 16);
}
