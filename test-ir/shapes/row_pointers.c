// 14. Arrays of pointers to rows.
#include "shape.h"
KERNEL kernel(int n, double **C, double **A, double **B) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++) C[i][j] += A[i][k] * B[k][j];
}
static double **rows(int n) {
    double **r = (double **)malloc(sizeof(double *) * (n + 1));
    for (int i = 0; i < n; i++) r[i] = ARRAY(double, n);
    return r;
}
static void drop(double **r, int n) {
    for (int i = 0; i < n; i++) show(r[i], (size_t)n * 8);
    free(r);
}
static void run(int n, int m) {
    (void)m;
    double **C = rows(n), **A = rows(n), **B = rows(n);
    kernel(n, C, A, B);
    drop(C, n), drop(A, n), drop(B, n);
}
