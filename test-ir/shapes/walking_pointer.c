// 53. A pointer that goes on over both loops: *out++
#include "shape.h"
KERNEL kernel(int n, int m, const double *A, double *out) {
    for (int j = 0; j < m; j++) {
        const double *p = A + j;
        for (int i = 0; i < n; i++, p += m) *out++ = *p;
    }
}
static void run(int n, int m) {
    double *A = ARRAY(double, (size_t)n *m), *out = ARRAY(double, (size_t)n *m);
    kernel(n, m, A, out);
    show(A, (size_t)n * m * 8), show(out, (size_t)n * m * 8);
}
