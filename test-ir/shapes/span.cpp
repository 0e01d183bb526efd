// 33. std::span by value.
// FLAGS: -std=c++20
#include "shape.h"
#include <span>
static __attribute__((noinline)) void kernel_of(int n, std::span<double> C, std::span<const double> A, std::span<const double> B) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++) C[i * n + j] += A[i * n + k] * B[k * n + j];
}
static void kernel(int n, double *C, double *A, double *B) {
    size_t size = (size_t)n * n;
    kernel_of(n, {C, size}, {A, size}, {B, size});
}
#include "product.h"
