// A parameter known to be larger than any that is taken had a range that ended before it began, and every value passed. Cells 2^64 bytes from each other have
// one address: subscripts were kept from being so far apart only where a stride was no constant.
// RUN: %clang -O3 %s -o %t.plain -lm && %t.plain > %t.expected
// RUN: %loopwright-clang -O3 %s -o %t.auto -lm && %t.auto > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -mllvm -loopwright-policy=force %s -o %t.force -lm && %t.force > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -mllvm -loopwright-policy=kernels %s -o %t.kernels -lm && %t.kernels > %t.out && diff %t.expected %t.out
// RUN: %clang -O3 -fno-strict-overflow -DWRAPS %s -o %t.a.plain -lm && %t.a.plain > %t.a.expected
// RUN: %loopwright-clang -O3 -fno-strict-overflow -DWRAPS %s -o %t.a.auto -lm && %t.a.auto > %t.a.out && diff %t.a.expected %t.a.out
// RUN: %loopwright-clang -O3 -fno-strict-overflow -DWRAPS -mllvm -loopwright-policy=force %s -o %t.a.force -lm && %t.a.force > %t.a.out && diff %t.a.expected %t.a.out
// RUN: %loopwright-clang -O3 -fno-strict-overflow -DWRAPS -mllvm -loopwright-policy=kernels %s -o %t.a.kernels -lm && %t.a.kernels > %t.a.out && diff %t.a.expected %t.a.out
#include <stdio.h>

static double A[66][64], B[66][64];
static __int128 C[66 * 64];

static __attribute__((noinline)) void condition(unsigned long n, double (*restrict a)[64], double (*restrict b)[64]) {
    long t = (long)(n * 1572865UL);
    for (long j = 0; j < 64; j++)
        for (long i = 0; i < 64; i++)
            if (t > i) a[i][j] += b[i][j] * 0.5 + 1;
}

static __attribute__((noinline)) void sum(unsigned long n, double (*restrict a)[64], double (*restrict b)[64]) {
    for (long j = 0; j < 64; j++)
        for (long i = 0; i < 64; i++)
            if ((long)(n * 1572865UL + (unsigned long)i) > 40) a[i][j] += b[i][j] * 0.5 + 1;
}

#ifdef WRAPS
__attribute__((noinline)) void around(long n, long m, double *a) {
    if (n <= 0) return;
    for (long j = 0; j < m; j++)
        for (long i = 0; i < m; i++) a[(unsigned long)n * (1UL << 21) + i * 64 + j + 64] += a[i * 64 + j + 1] * 0.5 + 1;
}

__attribute__((noinline)) void wide(long n, long m, __int128 *a) {
    if (n <= 0) return;
    for (long j = 0; j < m; j++)
        for (long i = 0; i < m; i++) a[(unsigned long)n * (1UL << 20) + i * 64 + j + 64] += a[i * 64 + j + 1] * 3 + 1;
}
#endif

static void show(void) {
    double total = 0;
    for (int i = 0; i < 66; i++)
        for (int j = 0; j < 64; j++) total += A[i][j] * (1 + (i + j) % 7) + (double)C[i * 64 + j];
    printf("%a\n", total);
}

int main(int argc, char **argv) {
    (void)argv;
    for (int i = 0; i < 66; i++)
        for (int j = 0; j < 64; j++) A[i][j] = (i + j) % 17, B[i][j] = (i * j) % 13, C[i * 64 + j] = (i * 3 + j) % 11;
    const unsigned long sizes[] = {1UL << 42, 3UL << 41, (1UL << 42) + (unsigned long)argc};
    for (int k = 0; k < 3; k++) condition(sizes[k], A, B), show(), sum(sizes[k], A, B), show();
#ifdef WRAPS
    around(1L << 40, 60, &A[0][0]), show();
    wide(1L << 40, 60, C), show();
#endif
    return 0;
}
