// 57. Products of matrices of std::complex<double> in std::vectors.
#include "shape.h"
#include <complex>
#include <limits>
#include <vector>
using Number = std::complex<double>;
using Vector = std::vector<Number>;
KERNEL kernel(int n, Vector &C, const Vector &A, const Vector &B) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            Number sum = 0;
            for (int k = 0; k < n; k++) sum += A[i * n + k] * B[k * n + j];
            C[i * n + j] = sum;
        }
}
static Vector filled(size_t size) {
    Vector v(size);
    for (size_t i = 0; i < size; i++) v[i] = Number((double)(i * 7 % 31) * 0.3, (double)(i * 5 % 13) - 6);
    return v;
}
static void write(const Vector &v) {
    // Of numbers that are none the sign is left open.
    for (Number x : v) printf("%a %a\n", x.real() == x.real() ? x.real() : 77, x.imag() == x.imag() ? x.imag() : 77);
}
static void run(int n, int m) {
    size_t size = (size_t)n * n;
    Vector C = filled(size), A = filled(size), B = filled(size);
    kernel(n, C, A, B);
    write(C);
    if (size && m % 3 == 1) A[size / 2] = std::numeric_limits<double>::infinity();
    if (size && m % 3 == 2) B[size - 1].imag(1e300), A[0].real(-1e300);
    kernel(n, C, A, B);
    write(C);
}
