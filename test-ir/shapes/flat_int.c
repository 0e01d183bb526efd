// 3. Flat arrays, subscripts of int.
#include "shape.h"
KERNEL kernel(int n, double *C, const double *A, const double *B) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++) C[i * n + j] += A[i * n + k] * B[k * n + j];
}
#include "product.h"
