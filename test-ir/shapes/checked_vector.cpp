// 56. References to std::vector<double>, every subscript checked by at().
#include "shape.h"
#include <stdexcept>
#include <vector>
using Vector = std::vector<double>;
KERNEL kernel(size_t n, Vector &C, const Vector &A, const Vector &B) {
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            for (size_t k = 0; k < n; k++) C.at(i * n + j) += A.at(i * n + k) * B.at(k * n + j);
}
static Vector filled(size_t size) {
    Vector v(size);
    for (size_t i = 0; i < size; i++) v[i] = (double)(i * 7 % 31) * 0.3;
    return v;
}
static void write(const Vector &v) { fwrite(v.data(), 8, v.size(), stdout); }
static void run(int n, int m) {
    size_t size = (size_t)n * n, missing = (size_t)(m % 3);
    Vector C = filled(size), A = filled(size), B = filled(size > missing ? size - missing : 0);
    try {
        kernel(n, C, A, B);
        kernel(n, C, C, B);
    } catch (const std::out_of_range &e) {
        puts("out of range");
    }
    write(C);
}
