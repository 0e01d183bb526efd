// A statement that waits for the last iteration of a loop whose length is unknown, but no more than some number, was put behind that number: the loop ran 134 million times.
// RUN: %clang -O3 %s -o %t.plain && %t.plain > %t.expected
// RUN: %loopwright-clang -O3 -mllvm -loopwright-policy=kernels -mllvm -loopwright-l1=1k -mllvm -loopwright-l2=8k -mllvm -loopwright-l3=16k %s -o %t.small
// RUN: timeout 300 %t.small > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -mllvm -loopwright-policy=force %s -o %t.force && timeout 300 %t.force > %t.out && diff %t.expected %t.out
#include <stdio.h>

static double A0[128], A1[4096];

__attribute__((noinline)) void waits(long n, long m, long k, double *restrict A0, double *restrict A1) {
    for (int i = 0; i < k; i++) {
        double sum = 0.0;
        for (int j = 0; j < m; j++) sum += ((A1[j * 16 + i] + A1[(j + 1) * 16 + j]) * A1[j * 16 + i]) * 0.5;
        A0[i] += sum;
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n - i; j++) A0[j] -= (A1[(j + 2) * 16 + j] * A1[i * 16 + 2 * j + 1]) * 0.5;
}

int main(void) {
    for (int i = 0; i < 4096; i++) A1[i] = i % 37 * 0.25;
    for (long size = 0; size < 40; size += 1 + size / 4) {
        waits(size, size + 1, size + 2, A0, A1);
        double sum = 0.0;
        for (int i = 0; i < 128; i++) sum += A0[i] * (i % 5 + 1);
        printf("%ld %a\n", size, sum);
    }
    return 0;
}
