// 15. References to std::vector<double>.
#include "shape.h"
#include <vector>
KERNEL kernel(int n, std::vector<double> &C, const std::vector<double> &A, const std::vector<double> &B) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++) C[i * n + j] += A[i * n + k] * B[k * n + j];
}
static std::vector<double> filled(int n) {
    double *p = ARRAY(double, (size_t)n * n);
    std::vector<double> v(p, p + (size_t)n * n);
    free(p);
    return v;
}
static void run(int n, int) {
    std::vector<double> C = filled(n), A = filled(n), B = filled(n);
    kernel(n, C, A, B);
    fwrite(C.data(), 8, C.size(), stdout);
    fwrite(A.data(), 8, A.size(), stdout);
    fwrite(B.data(), 8, B.size(), stdout);
}
