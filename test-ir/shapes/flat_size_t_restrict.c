// 2. Flat arrays, subscripts of size_t, restrict.
#include "shape.h"
KERNEL kernel(size_t n, double *restrict C, const double *restrict A, const double *restrict B) {
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            for (size_t k = 0; k < n; k++) C[i * n + j] += A[i * n + k] * B[k * n + j];
}
#include "product.h"
