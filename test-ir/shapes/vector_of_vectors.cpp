// 16. References to std::vector<std::vector<double>>.
#include "shape.h"
#include <vector>
using Matrix = std::vector<std::vector<double>>;
KERNEL kernel(int n, Matrix &C, const Matrix &A, const Matrix &B) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++) C[i][j] += A[i][k] * B[k][j];
}
static Matrix filled(int n) {
    Matrix v;
    for (int i = 0; i < n; i++) {
        double *p = ARRAY(double, n);
        v.emplace_back(p, p + n);
        free(p);
    }
    return v;
}
static void run(int n, int) {
    Matrix C = filled(n), A = filled(n), B = filled(n);
    kernel(n, C, A, B);
    for (const Matrix *x : {&C, &A, &B})
        for (const auto &row : *x) fwrite(row.data(), 8, row.size(), stdout);
}
