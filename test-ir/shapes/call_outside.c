// 10. A call of an unknown function before and behind the nest.
#include "shape.h"
static int called;
__attribute__((noinline)) static void note(int v) { __asm__ volatile("" : : "r"(&called) : "memory"); called += v; }
KERNEL kernel(int n, int m, double *A, const double *x) {
    note(1);
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++) A[i * m + j] += x[j];
    note(2);
}
static void run(int n, int m) {
    double *A = ARRAY(double, (size_t)n * m), *x = ARRAY(double, m);
    kernel(n, m, A, x);
    fwrite(&called, sizeof called, 1, stdout);
    show(A, (size_t)n * m * 8), show(x, (size_t)m * 8);
}
