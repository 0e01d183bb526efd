// 35. A class of matrices with operator().
#include "shape.h"
#include <vector>
class Matrix {
    int rows_, columns_;
    std::vector<double> data_;

  public:
    Matrix(int rows, int columns) : rows_(rows), columns_(columns), data_((size_t)rows * columns) {
        for (size_t i = 0; i < data_.size(); i++) data_[i] = (double)(i * 7 % 31) * 0.3;
    }
    int rows() const { return rows_; }
    int columns() const { return columns_; }
    double &operator()(int i, int j) { return data_[(size_t)i * columns_ + j]; }
    double operator()(int i, int j) const { return data_[(size_t)i * columns_ + j]; }
    void write() const { fwrite(data_.data(), 8, data_.size(), stdout); }
};
KERNEL kernel(Matrix &C, const Matrix &A, const Matrix &B) {
    for (int i = 0; i < C.rows(); i++)
        for (int j = 0; j < C.columns(); j++)
            for (int k = 0; k < A.columns(); k++) C(i, j) += A(i, k) * B(k, j);
}
static void run(int n, int m) {
    Matrix C(n, n), A(n, m), B(m, n);
    kernel(C, A, B);
    C.write();
}
