// 4. Flat arrays, subscripts of int, restrict.
#include "shape.h"
KERNEL kernel(int n, double *restrict C, const double *restrict A, const double *restrict B) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++) C[i * n + j] += A[i * n + k] * B[k * n + j];
}
#include "product.h"
