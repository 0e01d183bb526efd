// Nests of which it is assumed that no factor is zero where the program asks (`raise/factors.rs`), and that were wrong: what one statement reads before the cell is overwritten stood for the question behind that; where a factor is zero
// the program ends, or changes how far it goes on asking, and cells were looked at that it never reads.
// RUN: %clang -O3 -march=native -w %s -o %t.plain && %t.plain > %t.expected
// RUN: %loopwright-clang -O3 -march=native -w %s -o %t.auto && %t.auto > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=znver4 -w -c -Rpass=loopwright %s -o %t.o 2>&1 | %FileCheck %s --allow-empty
// CHECK-NOT: other than zero
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define KERNEL __attribute__((noinline)) static void

KERNEL overwritten(int n, double *a, const double *b, double *restrict c, const double *g, double *t) {
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) {
            double s = a[i * (long)n + k];
            a[i * (long)n + k] = g[i * (long)n + k];
            t[i * (long)n + k] = 1;
            if (a[i * (long)n + k] != 0)
                for (int j = 0; j < n; j++) c[i * (long)n + j] += s * b[k * (long)n + j];
        }
}

KERNEL left(long n, long m, long p, long ld, const double *restrict a, const double *restrict b, double *restrict c, long limit, double *restrict d) {
    for (long i = 0; i < n; i++)
        for (long k = 0; k < m; k++)
            if (a[i * ld + k] == 0.0) {
                for (long j = 0; j < p; j++) {
                    if (j >= limit) {
                        printf("left\n");
                        exit(0);
                    }
                    d[j] = 1;
                }
            } else
                for (long j = 0; j < p; j++) c[i * ld + j] += a[i * ld + k] * b[k * ld + j];
}

KERNEL shortened(long n, const long *m, long *q, long p, long ld, const double *restrict a, const double *restrict b, double *restrict c) {
    for (long i = 0; i < n; i++)
        for (long k = 0; k < *m; k++)
            if (a[i * ld + k] == 0.0) {
                for (long j = 0; j < p; j++) q[j] = k;
            } else
                for (long j = 0; j < p; j++) c[i * ld + j] += a[i * ld + k] * b[k * ld + j];
}

enum { N = 64, LONG = 512 };

// Four numbers, the last of which is zero, in front of memory that nobody may touch.
static double *four(void) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *p = mmap(0, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(p + page, page, PROT_NONE);
    double *a = (double *)(p + page) - 4;
    a[0] = a[1] = a[2] = 1;
    return a;
}

int main(void) {
    double *of[5];
    for (int q = 0; q < 5; q++) {
        of[q] = malloc(N * N * sizeof(double));
        for (int i = 0; i < N * N; i++) of[q][i] = q == 3 ? i % 2 : 1;
    }
    overwritten(N, of[0], of[1], of[2], of[3], of[4]);
    printf("%g\n", of[2][0]);
    double *b = calloc(LONG * LONG, sizeof(double)), *c = calloc(LONG * LONG, sizeof(double));
    long *q = calloc(LONG, sizeof(long));
    q[0] = LONG;
    shortened(1, q, q, LONG - 12, LONG, four(), b, c);
    printf("%ld\n", q[0]);
    fflush(stdout);
    left(LONG, LONG, LONG, LONG, four(), b, c, 100, c);
}
