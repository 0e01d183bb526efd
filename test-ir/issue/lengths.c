// Loops of very different lengths: as one loop, or with the empty ones inside, they would have billions of iterations in which nothing runs.
// RUN: %clang -O3 %s -o %t.plain && %t.plain > %t.expected
// RUN: %loopwright-clang -O3 %s -o %t.auto && timeout 300 %t.auto > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -mllvm -loopwright-policy=force %s -o %t.force && timeout 300 %t.force > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -mllvm -loopwright-policy=kernels %s -o %t.kernels && timeout 300 %t.kernels > %t.out && diff %t.expected %t.out
#include <stdio.h>
#include <stdlib.h>

enum { N = 5020, ROWS = 400000 };

// Four boxes, which cannot be put in one order.
__attribute__((noinline)) void boxes(long a, long b, long c, long d, long e, long f, long g, long h, float (*restrict A)[N], float (*restrict B)[N],
                                     float (*restrict C)[N], float (*restrict D)[N], float (*restrict X)[N]) {
    for (long i = 0; i < a; i++)
        for (long j = 0; j < b; j++) A[i][j] = X[i][j] * 0.5f + A[i][j];
    for (long i = 0; i < c; i++)
        for (long j = 0; j < d; j++) B[i][j] = X[i][j] * 0.25f + A[i][j];
    for (long i = 0; i < e; i++)
        for (long j = 0; j < f; j++) C[i][j] = X[i][j] * 0.5f + B[i][j];
    for (long i = 0; i < g; i++)
        for (long j = 0; j < h; j++) D[i][j] = X[i][j] * 0.125f + C[i][j];
}

// Conditions on time.
__attribute__((noinline)) void later(long t, long n, long a, long b, long c, long k, long q, long r, float *restrict A, float *restrict B, float *restrict C,
                                     float *restrict D, float *restrict E, float *restrict F) {
    for (long s = 0; s < t; s++) {
        for (long i = 0; i < n; i++) A[i] = A[i] * 0.5f + C[i] + D[s];
        if (s >= a)
            for (long j = 0; j < k; j++) B[j] = B[j] * 0.5f + C[j] * A[j];
        if (s >= b)
            for (long j = 0; j < q; j++) E[j] = E[j] * 0.5f + C[j] * A[j];
        if (s >= c)
            for (long j = 0; j < r; j++) F[j] = F[j] * 0.5f + C[j] * A[j];
    }
}

// Conditions on sizes: the last loop, a long one, does not run.
__attribute__((noinline)) void never(long t, long n, long m, long k, long q, double *restrict A, double *restrict B, double *restrict C, double *restrict D,
                                     double *restrict E) {
    for (long i = 0; i < n; i++) A[i] = A[i] * 0.5 + C[i];
    if (m > 5)
        for (long j = 0; j < k; j++) B[j] = B[j] * 0.5 + C[j] * A[j];
    if (m > 9)
        for (long j = 0; j < q; j++) D[j] = D[j] * 0.5 + C[j] * A[j];
    if (m > 29)
        for (long j = 0; j < t; j++) E[j] = E[j] * 0.5 + C[j] * A[j];
}

// Nothing to do at once, but for whoever comes from the other side.
__attribute__((noinline)) void columns(long n, long m, long p, double (*restrict A)[300][200], double (*restrict B)[300][200]) {
    for (long i = 0; i < n; i++)
        for (long j = 0; j < m; j++)
            for (long l = 0; l < p; l++) A[l][j][i] += B[l][j][i] * 0.5;
}

__attribute__((noinline)) void two_columns(long n, long m, long p, double (*restrict A)[200], double (*restrict B)[200]) {
    for (long i = 0; i < n; i++)
        for (long j = m; j < p; j++) A[j][i] = A[j][i] * 0.5 + B[j][i];
}

// Many short rows that lie in disorder: not each is compared with each.
__attribute__((noinline)) void rows(long n, long m, long p, double **C, double **A, double **B) {
    for (long i = 0; i < n; i++)
        for (long j = 0; j < m; j++)
            for (long l = 0; l < p; l++) C[i][j] += A[i][l] * B[l][j];
}

int main(int argc, char **argv) {
    float *big[5], *vector[6];
    (void)argv;
    for (int k = 0; k < 5; k++) big[k] = calloc((size_t)N * N, 4);
    for (int i = 0; i < 20; i++) big[4][i] = i, big[4][(size_t)N * i] = 2 * i;
    for (int r = 0; r < 10000; r++)
        boxes(argc + 5000, argc + 1, argc + 1, argc + 5000, argc + 2, argc + 2, argc + 2, argc + 2, (void *)big[0], (void *)big[1], (void *)big[2], (void *)big[3],
              (void *)big[4]);
    for (int k = 0; k < 6; k++) {
        vector[k] = calloc(10000100, 4);
        for (int i = 0; i < 1000; i++) vector[k][i] = i % (7 + k);
    }
    later(argc + 20000, argc + 20, argc + 19998, argc + 19999, argc + 19999, argc + 10000000, argc + 10000000, argc + 1000000, vector[0], vector[1], vector[2],
          vector[3], vector[4], vector[5]);
    double *line[5];
    for (int k = 0; k < 5; k++) {
        line[k] = calloc(1000, 8);
        for (int i = 0; i < 1000; i++) line[k][i] = i % (5 + k);
    }
    never(argc + 1000000000000L, argc + 100, argc + 15, argc + 100, argc + 100, line[0], line[1], line[2], line[3], line[4]);
    columns(argc - 1, argc + 298, argc + 100000000000L, (void *)line[0], (void *)line[1]);
    two_columns(argc - 1, argc - 1, argc + 1000000000000L, (void *)line[0], (void *)line[1]);

    long m = argc + 3;
    double *cells = calloc((size_t)ROWS * m * 2 + m * m, 8), **C = malloc(ROWS * sizeof *C), **A = malloc(ROWS * sizeof *A), *B[16];
    for (long i = 0; i < ROWS; i++) {
        long place = i * 77773 % ROWS;
        C[i] = cells + place * m, A[i] = cells + (ROWS + place) * m;
        for (long j = 0; j < m; j++) C[i][j] = j, A[i][j] = i % 7;
    }
    for (long i = 0; i < m; i++) {
        B[i] = cells + 2 * ROWS * m + (m - 1 - i) * m;
        for (long j = 0; j < m; j++) B[i][j] = i - j;
    }
    rows(ROWS, m, m, C, A, B);

    double sum = 0;
    for (int i = 0; i < 100; i++) {
        sum = sum * 0.75 + C[i * 31][i % m];
        for (int k = 0; k < 4; k++) sum += big[k][i] + big[k][(size_t)N * i] + vector[k][i] + line[k][i];
    }
    printf("%.17g\n", sum);
}
