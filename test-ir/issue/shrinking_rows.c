// A triangle packed by rows that get shorter, and a nest that does not run: what was known of its rows goes on behind the last, where the numbers of cells fall again, so that nothing seemed to be touched.
// RUN: %clang -O3 -march=native -w -I%S/../run/Inputs %s -o %t.plain && %t.plain > %t.expected
// RUN: %loopwright-clang -O3 -march=native -w -I%S/../run/Inputs %s -o %t.auto && %t.auto > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=native -w -I%S/../run/Inputs -mllvm -loopwright-policy=force %s -o %t.force && %t.force > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=native -w -I%S/../run/Inputs -mllvm -loopwright-policy=kernels %s -o %t.kernels && %t.kernels > %t.out && diff %t.expected %t.out
#include "hash.h"
#include <stdio.h>

__attribute__((noinline)) void update(long n, long m, long k, double *P, double *B) {
    for (long l = 0; l < n; l++)
        for (long i = 0; i < n; i++)
            for (long j = i; j < n; j++) P[n * i - i * (i + 1) / 2 + j] += B[l * n + i] * B[l * n + j];
    if (k <= n)
        for (long i = 0; i < m; i++)
            for (long j = i; j < k; j++) P[n * i - i * (i + 1) / 2 + j] *= 0.5;
}

enum { CELLS = 40000 };
static double M[CELLS];

int main(void) {
    static const long sizes[] = {5, 17, 64, 130};
    for (int s = 0; s < 4; s++)
        for (long n = sizes[s], k = n - 1; k < 2 * n + 5; k += 1 + n / 65) {
            for (long i = 0; i < CELLS; i++) M[i] = i * 7919 % 1013 * 0.0001;
            update(n, k, k, M, M + 1);
            printf("%ld %ld %lx\n", n, k, (unsigned long)hash(0, M, sizeof M));
        }
}
