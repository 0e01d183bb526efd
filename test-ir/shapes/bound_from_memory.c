// 40. Sizes behind a pointer.
#include "shape.h"
struct sizes { long rows, columns; };
KERNEL kernel(const struct sizes *s, double *A, const double *x) {
    for (long i = 0; i < s->rows; i++)
        for (long j = 0; j < s->columns; j++) A[i * s->columns + j] += x[j];
}
static void run(int n, int m) {
    struct sizes s = {n, m};
    double *A = ARRAY(double, (size_t)n * m), *x = ARRAY(double, m);
    kernel(&s, A, x);
    show(A, (size_t)n * m * 8), show(x, (size_t)m * 8);
}
