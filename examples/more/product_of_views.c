// A product of matrices that are views: all strides are numbers of the program, and nothing says that one of them is 1.
#include "../harness.h"

struct view {
    double *cells;
    long rows, columns, row_stride, column_stride;
};

static double *at(struct view v, long i, long j) { return &v.cells[i * v.row_stride + j * v.column_stride]; }

KERNEL product_of_views(struct view c, struct view a, struct view b) {
    for (long i = 0; i < c.rows; i++)
        for (long j = 0; j < c.columns; j++)
            for (long k = 0; k < a.columns; k++) *at(c, i, j) += *at(a, i, k) * *at(b, k, j);
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 500);
    size_t size = (size_t)n * n;
    volatile long one = 1;
    struct view a = {allocate(size * sizeof(double)), n, n, n, one}, b = a, c = a;
    b.cells = allocate(size * sizeof(double));
    c.cells = allocate(size * sizeof(double));
    fill(a.cells, size, 1);
    fill(b.cells, size, 2);
    MEASURE(fill(c.cells, size, 3), product_of_views(c, a, b));
    add_to_hash(c.cells, size * sizeof(double));
    return report();
}
