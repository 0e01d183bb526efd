// 13. Flat arrays, subscripts of 32 bits without sign: `i * n + k` may wrap.
#include "shape.h"
KERNEL kernel(uint32_t n, double *C, const double *A, const double *B) {
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < n; j++)
            for (uint32_t k = 0; k < n; k++) C[i * n + j] += A[i * n + k] * B[k * n + j];
}
#include "product.h"
