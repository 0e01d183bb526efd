// 58. References to std::vector of structs of 24 bytes, every subscript checked by at().
#include "shape.h"
#include <stdexcept>
#include <vector>
struct Point { double x, y, z; };
using Vector = std::vector<Point>;
KERNEL kernel(size_t n, Vector &C, const Vector &A, const Vector &B) {
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            for (size_t k = 0; k < n; k++) C.at(i * n + j).x += A.at(i * n + k).y * B.at(k * n + j).z;
}
static Vector filled(size_t size) {
    Vector v(size);
    for (size_t i = 0; i < size; i++) v[i] = {(double)(i * 7 % 31) * 0.3, (double)(i % 5), (double)(i * 3 % 8) * 0.5};
    return v;
}
static void write(const Vector &v) { fwrite(v.data(), sizeof(Point), v.size(), stdout); }
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
