// 5. Matrices as structs of sizes and a pointer.
#include "shape.h"
struct matrix {
    int rows, columns;
    double *data;
};
KERNEL kernel(struct matrix *C, const struct matrix *A, const struct matrix *B) {
    for (int i = 0; i < C->rows; i++)
        for (int j = 0; j < C->columns; j++) {
            double s = 0;
            for (int k = 0; k < A->columns; k++) s += A->data[i * A->columns + k] * B->data[k * B->columns + j];
            C->data[i * C->columns + j] = s;
        }
}
static void run(int n, int m) {
    size_t size = (size_t)n * m;
    struct matrix C = {n, n, ARRAY(double, n * n)}, A = {n, m, ARRAY(double, size)}, B = {m, n, ARRAY(double, size)};
    kernel(&C, &A, &B);
    show(C.data, (size_t)n * n * 8), show(A.data, size * 8), show(B.data, size * 8);
}
