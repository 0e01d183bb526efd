// 30. Shortest paths: Floyd and Warshall.
#include "shape.h"
KERNEL kernel(int n, double d[][100]) {
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) d[i][j] = d[i][j] < d[i][k] + d[k][j] ? d[i][j] : d[i][k] + d[k][j];
}
static void run(int n, int m) {
    (void)m;
    double *d = ARRAY(double, (size_t)n * 100);
    kernel(n, (double(*)[100])d);
    show(d, (size_t)n * 800);
}
