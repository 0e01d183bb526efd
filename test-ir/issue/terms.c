// A number that a loop of five iterations, unrolled, multiplies again and again: its polynomial doubled its terms with each multiplication, and compiling took a minute.
// RUN: %clang -O3 %s -o %t.plain && %t.plain > %t.expected
// RUN: timeout 20 %loopwright-clang -O3 -mllvm -loopwright-policy=force %s -o %t.force
// RUN: %t.force > %t.out && diff %t.expected %t.out
#include <stdio.h>

__attribute__((noinline)) void multiplied(long n, long m, unsigned long *A, unsigned char *x) {
    unsigned long t = 3;
    for (long i = 0; i < n; i++) {
        for (long j = 4; j >= 0; j--) {
            t = t * (A[i] + (A[j + 2] ^ (unsigned long)(i + 1)));
            A[i] += t;
        }
        for (long j = 0; j != n; j++) {
            x[i] = (unsigned char)((x[i] | (t ? x[i + 2] / t : 1)) * (x[i + 1] * A[i] + (unsigned long)(i + 1)));
            for (long k = 0; k < m; k += 3) x[k] -= x[j];
        }
    }
}

int main(void) {
    static unsigned long A[64];
    static unsigned char x[64];
    for (long size = 0; size < 24; size++) {
        for (int i = 0; i < 64; i++) A[i] = (unsigned long)i * 7 % 101, x[i] = (unsigned char)(i * 37);
        multiplied(size, size / 2, A, x);
        unsigned long sum = 0;
        for (int i = 0; i < 64; i++) sum = sum * 31 + A[i] + x[i];
        printf("%ld %lu\n", size, sum);
    }
    return 0;
}
