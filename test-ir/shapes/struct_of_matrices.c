// 39. A global struct of matrices.
#include "shape.h"
static struct { double A[64][64], B[64][64], x[64]; } s;
KERNEL kernel(int n) {
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) s.A[i][j] = s.B[j][i] * s.x[i];
}
static void run(int n, int m) {
    (void)m;
    double *p = (double *)&s;
    for (size_t i = 0; i < sizeof s / 8; i++) p[i] = (double)(i * 7 % 31) * 0.3;
    kernel(n);
    fwrite(&s, sizeof s, 1, stdout);
}
