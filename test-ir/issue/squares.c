// What is squared again and again has one instruction a step, but looked at as a tree it doubles: compiling took longer than one can wait. And sixteen numbers that a counter must
// differ from were taken apart into 65,536 cases.
// RUN: %clang -O3 %s -o %t.plain && %t.plain > %t.expected
// RUN: timeout 20 %loopwright-clang -O3 -mllvm -loopwright-policy=force -Rpass=loopwright -Rpass-missed=loopwright %s -o %t.force 2> %t.remarks
// RUN: %t.force > %t.out && diff %t.expected %t.out
// RUN: %FileCheck %s < %t.remarks
#include <stdio.h>

enum { N = 20 };

#define TWICE(x) x *= x, x *= x
#define EIGHT_TIMES(x) TWICE(x), TWICE(x), TWICE(x), TWICE(x)
#define FORTY_TIMES(x) EIGHT_TIMES(x), EIGHT_TIMES(x), EIGHT_TIMES(x), EIGHT_TIMES(x), EIGHT_TIMES(x)

// As an offset: whatever it is, it is added before the loops.
// CHECK: squares.c:[[#@LINE + 3]]:{{.*}}run-time checks
__attribute__((noinline)) void offset(long n, double *A, unsigned long by) {
    FORTY_TIMES(by);
    for (long i = 0; i < n; i++)
        for (long j = 0; j < n; j++) A[i * n + j + by] += A[j * n + i + by];
}

// In a divisor, before the loops.
// CHECK: squares.c:[[#@LINE + 3]]:{{.*}}interchanged loops
__attribute__((noinline)) void divisor(long n, double A[restrict n][n], double by) {
    FORTY_TIMES(by);
    for (long k = 0; k < n; k++)
        for (long i = k + 1; i < n; i++) {
            double f = A[i][k] / by;
            for (long j = k + 1; j < n; j++) A[i][j] -= f * A[k][j];
        }
}

// In a divisor, in the loops.
// CHECK: squares.c:[[#@LINE + 2]]:{{.*}}interchanged loops
__attribute__((noinline)) void divisor_within(long n, double A[restrict n][n], const double *restrict by) {
    for (long k = 0; k < n; k++)
        for (long i = k + 1; i < n; i++) {
            double all = by[i];
            FORTY_TIMES(all);
            double f = A[i][k] / all;
            for (long j = k + 1; j < n; j++) A[i][j] -= f * A[k][j];
        }
}

// CHECK: squares.c:[[#@LINE + 3]]:{{.*}}rewrote the loops
__attribute__((noinline)) void none_of(long n, double *restrict A, const double *restrict b, long m0, long m1, long m2, long m3, long m4, long m5,
                                       long m6, long m7, long m8, long m9, long ma, long mb, long mc, long md, long me, long mf) {
    for (long i = 0; i < n; i++)
        for (long j = 0; j < n; j++)
            if (i != m0 && i != m1 && i != m2 && i != m3 && i != m4 && i != m5 && i != m6 && i != m7 && i != m8 && i != m9 && i != ma && i != mb &&
                i != mc && i != md && i != me && i != mf)
                A[i * n + j] += b[i];
}

// A chain of maxima that does not change in the loop, which LLVM's vectoriser looked at as a tree of 16 million nodes: reversed, it seemed to have vectors to make.
// CHECK: squares.c:[[#@LINE + 2]]:{{.*}}reversed loops
__attribute__((noinline)) void diagonal(long n, long m, double A[restrict n][n], double B[restrict][m]) {
    for (long i = n - 1; i >= 0; i--) {
        A[i][i] = 2;
        for (long j = 0; j < 24; j++) A[i][i] = A[i][i] > B[j + 1][j] ? A[i][i] : B[j + 1][j];
    }
}

// CHECK: squares.c:[[#@LINE + 2]]:{{.*}}reversed loops
__attribute__((noinline)) void every_second(long n, double *restrict A, const double *restrict b, const double *restrict c) {
    for (long i = n - 1; i >= 0; i--) {
        A[2 * i] = 2;
        for (long j = 0; j < 24; j++) A[2 * i] = A[2 * i] > b[3 * j] ? A[2 * i] : b[3 * j];
        A[2 * i + 1] = c[i];
    }
}

int main(void) {
    static double A[N * N + 1], b[N], B[30 * N];
    for (int i = 0; i < 30 * N; i++) B[i] = i * 13 % 89 - 60;
    for (long size = 0; size <= N; size += 4) {
        for (int i = 0; i < N * N + 1; i++) A[i] = i * 7 % 101;
        for (int i = 0; i < N; i++) b[i] = i % 3 ? 1 : -1;
        offset(size, A, 1);
        divisor(size, (double(*)[size])A, 1);
        divisor_within(size, (double(*)[size])A, b);
        none_of(size, A, b, 1, 3, 5, 19, 18, -1, 1 << 20, 7, 7, 8, 2, 11, 12, 30, 40, size);
        diagonal(size, N, (double(*)[size])A, (double(*)[N])B);
        every_second(size, A + N, B, b);
        double sum = 0;
        for (int i = 0; i < N * N + 1; i++) sum += A[i] * (i % 13);
        printf("%ld %a\n", size, sum);
    }
    return 0;
}
