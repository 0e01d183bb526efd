// 36. Halves.
#include "shape.h"
KERNEL kernel(int n, int m, _Float16 *A, const _Float16 *x) {
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++) A[i * m + j] += x[j];
}
static void run(int n, int m) {
    size_t size = (size_t)n * m;
    _Float16 *A = (_Float16 *)ARRAY(short, size), *x = (_Float16 *)ARRAY(short, m);
    kernel(n, m, A, x);
    show(A, size * 2), show(x, (size_t)m * 2);
}
