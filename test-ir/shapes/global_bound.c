// 11. Sizes in global variables.
#include "shape.h"
int rows, columns;
KERNEL kernel(double *A, const double *x) {
    for (int j = 0; j < columns; j++)
        for (int i = 0; i < rows; i++) A[i * columns + j] += x[j];
}
static void run(int n, int m) {
    double *A = ARRAY(double, (size_t)n * m), *x = ARRAY(double, m);
    rows = n, columns = m;
    kernel(A, x);
    show(A, (size_t)n * m * 8), show(x, (size_t)m * 8);
}
