// 17. Every subscript checked, as Rust does.
#include "shape.h"
__attribute__((noreturn, noinline, cold)) static void out_of_bounds(size_t i, size_t size) {
    printf("%zu of %zu\n", i, size);
    exit(1);
}
#define AT(a, size, i) (*((i) < (size) ? &(a)[i] : (out_of_bounds(i, size), (a))))
KERNEL kernel(size_t n, double *C, size_t c, const double *A, size_t a, const double *B, size_t b) {
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            for (size_t k = 0; k < n; k++) AT(C, c, i * n + j) += AT(A, a, i * n + k) * AT(B, b, k * n + j);
}
static void run(int n, int m) {
    (void)m;
    size_t size = (size_t)n * n;
    double *C = ARRAY(double, size), *A = ARRAY(double, size), *B = ARRAY(double, size);
    kernel(n, C, size, A, size, B, size);
    show(C, size * 8), show(A, size * 8), show(B, size * 8);
}
